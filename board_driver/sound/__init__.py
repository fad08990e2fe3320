"""What a board lets people hear: beeps of a buzzer, and moves and rulings spoken."""
