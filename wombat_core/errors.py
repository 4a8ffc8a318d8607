"""The one error that is part of the interface."""


class InputError(ValueError):
    """An input cannot be used.

    ``str(error)`` is one sentence for people that names what is wrong and where. Pages show it
    in place of a result; the terminal prints it and ends with exit code 2. It can be pickled,
    whatever a subclass takes to be made, since processes hand it to each other.
    """

    def __reduce__(self):
        # The default calls the class with ``args``, which is the sentence alone.
        return _without_init, (type(self), *self.args), self.__dict__ or None


def _without_init(kind: type[InputError], *args: object) -> InputError:
    return kind.__new__(kind, *args)


def one_line(error: BaseException) -> str:
    """Type and message of an error in one line, without a full stop at the end."""
    try:
        message = str(getattr(error, "msg", None) or error)
    except Exception:
        message = ""
    message = "".join(letter if letter.isprintable() else " " for letter in message[:2000])
    message = " ".join(message.split()).rstrip(".")[:300]
    return f"fails with {type(error).__name__}" + (f": {message}" if message else "")
