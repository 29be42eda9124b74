"""What the sanitizer costs: processor time of compute shaders under --sanitize, as a ratio of the
interpreter's on one host thread, which is what runs them then.

usage: bench_sanitize.py PERGOLA VK_KERNEL GLSLANG
"""
import os
import resource
import subprocess
import sys
import tempfile

PERGOLA, VK_KERNEL, GLSLANG = sys.argv[1:4]
GROUPS = 16  # of 64 invocations: 1024 words
PRELUDE = """#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
layout(binding = 2) buffer C { uint c[]; };
layout(binding = 3) uniform usamplerBuffer texels_a;
layout(binding = 5) uniform usamplerBuffer texels_c;
layout(binding = 6, r32ui) uniform uimageBuffer image_a;
layout(binding = 7, r32ui) uniform uimageBuffer image_b;
"""
INDEX = "uint i = gl_GlobalInvocationID.x"
LOCAL = "uint i = gl_LocalInvocationID.x"
SHADERS = {
    "arithmetic": f"void main() {{ {INDEX}, x = a[i]; for (uint k = 0; k < 100000; k++) x = x * "
                  f"1664525u + 1013904223u; b[i] = x; }}",
    "reads": f"void main() {{ {INDEX}, x = 0; for (uint k = 0; k < 50000; k++) x += a[(i + k * "
             f"64u) & 1023u]; b[i] = x; }}",
    "gathers": f"void main() {{ {INDEX}, x = i; for (uint k = 0; k < 50000; k++) x = x * 1664525u "
               f"+ a[x >> 22]; b[i] = x; }}",
    "writes": f"void main() {{ {INDEX}; for (uint k = 0; k < 50000; k++) b[i] = k; }}",
    "atomics": f"void main() {{ {INDEX}; for (uint k = 0; k < 20000; k++) atomicAdd(b[(i + k) & "
               f"1023u], k); }}",
    "samples": f"void main() {{ {INDEX}, x = 0; for (uint k = 0; k < 20000; k++) "
               "x += texelFetch(texels_a, int((i + k * 64u) & 1023u)).x; b[i] = x; }",
    "images": f"void main() {{ {INDEX}, x = 0; for (uint k = 0; k < 20000; k++) "
              "imageStore(image_b, int(i), imageLoad(image_a, int((i + k * 64u) & 1023u))); }",
    "shared": f"shared uint s[64]; void main() {{ {LOCAL}; s[i] = i; for (uint k = 0; k < 20000; "
              f"k++) "
              "{ barrier(); uint x = s[i ^ 1u]; barrier(); s[i] = x + 1u; } "
              "b[gl_GlobalInvocationID.x] = s[i]; }",
    "exchange": f"shared uint s[64]; void main() {{ {LOCAL}; s[i] = i; for (uint k = 0; k < 20000; "
                f"k++) "
                "{ barrier(); uint x = s[(i * 5u + 16u) & 63u]; barrier(); s[i] = x + 1u; } "
                "b[gl_GlobalInvocationID.x] = s[i]; }",
}


def seconds(options, module):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([PERGOLA, "run", "--check=off", "--threads=1", *options, "--", VK_KERNEL, module,
                    "--groups", str(GROUPS)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env={**os.environ, "MESA_SHADER_CACHE_DISABLE": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


with tempfile.TemporaryDirectory() as d:
    for name, text in {"nothing": "void main() {}", **SHADERS}.items():
        with open(f"{d}/{name}.comp", "w", encoding="utf-8") as f:
            f.write(PRELUDE + text)
        subprocess.run([GLSLANG, "-V", "--quiet", "--target-env", "vulkan1.1", f"{d}/{name}.comp",
                        "-o", f"{d}/{name}.spv"], check=True)
    start = seconds(["--native=off"], f"{d}/nothing.spv")
    print(f"{'':12} {'interpreter':>12} {'memory':>8} {'race':>8} {'init':>8} {'all':>8}")
    for name in SHADERS:
        peer = seconds(["--native=off"], f"{d}/{name}.spv") - start
        ratios = [(seconds([f"--sanitize={k}"], f"{d}/{name}.spv") - start) / peer
                  for k in ("memory", "race", "init", "all")]
        print(f"{name:12} {peer:10.2f} s " + " ".join(f"{r:7.1f}x" for r in ratios), flush=True)
