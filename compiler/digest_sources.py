#!/usr/bin/env python3
"""Writes a header with a digest of this room's sources. Modules that are kept for the next command have it in their keys
(kept_source.cpp), so no build takes what another one made in another way.

  digest_sources.py HEADER SOURCE...
"""
import hashlib
import pathlib
import sys

header = pathlib.Path(sys.argv[1])
digest = hashlib.sha256()
for source in sorted(map(pathlib.Path, sys.argv[2:]), key=lambda path: (path.parent.name, path.name)):
    text = source.read_bytes()
    digest.update(f"{source.parent.name}/{source.name} {len(text)}\n".encode() + text)
header.parent.mkdir(parents=True, exist_ok=True)
header.write_text(f"""// Made by compiler/digest_sources.py.
#pragma once

namespace transpire::compiler {{

inline constexpr const char* kSourcesDigest = "{digest.hexdigest()}";

}}  // namespace transpire::compiler
""", encoding="utf-8")
