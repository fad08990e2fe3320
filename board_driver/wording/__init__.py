"""What the program says, in each language: phrases in translation files, and how events become sentences."""

ENGLISH = "en"
LANGUAGES = (ENGLISH, "zh")
"""The translations that come with the program, by their codes (ISO 639-1)."""
