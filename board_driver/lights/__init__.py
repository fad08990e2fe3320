"""Pictures of lights (pure), and the drivers that show them."""
