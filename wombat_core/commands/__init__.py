"""The commands of the terminal: each module has ``add_arguments(parser)`` and ``run(options) -> any bad input?``."""
