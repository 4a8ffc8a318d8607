"""The one error that is part of the interface."""


class InputError(ValueError):
    """An input cannot be used.

    ``str(error)`` is one sentence for people that names what is wrong and where. Pages show it
    in place of a result; the terminal prints it and ends with exit code 2.
    """
