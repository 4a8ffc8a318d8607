"""The one error that is part of the interface."""

import copyreg


class InputError(ValueError):
    """An input cannot be used.

    ``str(error)`` is one sentence for people that names what is wrong and where. Pages show it
    in place of a result; the terminal prints it and ends with exit code 2. It can be pickled,
    whatever a subclass takes to be made, since processes hand it to each other.
    """

    def __reduce__(self):
        # The default calls the class with ``args``, which is the sentence alone.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__ or None
