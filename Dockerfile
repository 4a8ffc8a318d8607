# The app, and with another command a Dask worker: see compose.yaml and docs/hosting.md.
FROM node:22-bookworm-slim AS viewer
# The 3D viewer's script, so that the pages ask no other server for it.
RUN npm pack --silent --ignore-scripts 3dmol@2.5.5

FROM python:3.11-slim-bookworm

# What RDKit's drawings and torch load from the system.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libgomp1 libxrender1 libxext6 libexpat1 fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/*

RUN useradd --create-home --uid 1000 wombat
WORKDIR /app
COPY requirements.txt .
# The usual torch brings several GB for graphics cards; PyTorch's site names the index of the one for processors alone.
ARG TORCH_INDEX=
RUN pip install --no-cache-dir ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} torch==2.13.0 \
    && pip install --no-cache-dir -r requirements.txt "distributed>=2026.8"
COPY . .
COPY --from=viewer /3dmol-2.5.5.tgz /tmp/
RUN python -c "from pathlib import Path; from wombat_core.drawing.fetch_viewer import unpack; unpack(Path('/tmp/3dmol-2.5.5.tgz'))" \
    && mkdir -p /data/runs /data/cache \
    && chown -R wombat:wombat /app /data
USER wombat

ENV OMP_NUM_THREADS=1 \
    PYTHONPATH=/app \
    PYTHONUNBUFFERED=1 \
    WOMBAT_RUNS=/data/runs \
    WOMBAT_CACHE=/data/cache
VOLUME /data
EXPOSE 8501
# Under a sub-path, BASE_PATH stands before the address of the check as well.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
    CMD python -c "import os, urllib.request as u; b = os.environ.get('BASE_PATH', '').strip('/'); u.urlopen('http://localhost:8501/' + (b + '/' if b else '') + '_stcore/health', timeout=5)"
CMD ["sh", "-c", "exec streamlit run app.py --server.address=0.0.0.0 --server.port=8501 --server.headless=true --server.baseUrlPath=${BASE_PATH:-}"]
