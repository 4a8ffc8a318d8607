"""Networks that are trained, in place of hand-set ones: GIN and GCN on nodes or on whole graphs."""
