# The public names and where they live; `__init__.py` reads this file (SPEC 1), type checkers do too.
from .benchmark.results import BenchmarkResult as BenchmarkResult
from .benchmark.results import benchmark as benchmark
from .errors import InputError as InputError
from .explainers.attribution import Attribution as Attribution
from .explainers.protocol import Explainer as Explainer
from .explainers.registry import explainer as explainer
from .explainers.registry import register as register
from .explanation import Explanation as Explanation
from .metrics.accuracy import gea as gea
from .metrics.faithfulness import gef as gef
from .metrics.ranking import auroc as auroc
from .metrics.ranking import average_precision as average_precision
from .metrics.scores import Scores as Scores
from .metrics.scores import iqr_pass as iqr_pass
from .metrics.scores import score as score
from .molecules.molecule import Molecule as Molecule
from .paths.path import Path as Path
from .public.basics import explainer_names as explainer_names
from .public.basics import interpolate as interpolate
from .public.basics import load as load
from .public.basics import molecule as molecule
from .public.basics import predict as predict
from .public.basics import trace as trace
from .public.basics import validate as validate
from .public.comparison import Comparison as Comparison
from .public.comparison import compare as compare
from .public.explaining import explain as explain
from .screening.validation import Tally as Tally
from .whitebox.catalogue import Pattern as Pattern
from .whitebox.catalogue import pattern as pattern
from .whitebox.catalogue import patterns as patterns
from .whitebox.model import Trace as Trace

__version__: str
