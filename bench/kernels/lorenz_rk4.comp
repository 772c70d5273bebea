// lorenz_rk4.cl in GLSL.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer Start { double start[]; };
layout(std430, binding = 1) writeonly buffer End { double end[]; };
layout(push_constant) uniform Values { double dt; uint steps; uint n; };

dvec3 lorenz(dvec3 p) {
  precise dvec3 slope = dvec3(10.0LF * (p.y - p.x), p.x * (28.0LF - p.z) - p.y,
                              p.x * p.y - (8.0LF / 3.0LF) * p.z);
  return slope;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  precise dvec3 p = dvec3(start[3 * i], start[3 * i + 1], start[3 * i + 2]);
  for (uint step = 0; step < steps; ++step) {
    precise dvec3 k1 = lorenz(p);
    precise dvec3 p2 = p + k1 * (0.5LF * dt);
    precise dvec3 k2 = lorenz(p2);
    precise dvec3 p3 = p + k2 * (0.5LF * dt);
    precise dvec3 k3 = lorenz(p3);
    precise dvec3 p4 = p + k3 * dt;
    precise dvec3 k4 = lorenz(p4);
    p += (k1 + k2 * 2.0LF + k3 * 2.0LF + k4) * (dt / 6.0LF);
  }
  end[3 * i] = p.x;
  end[3 * i + 1] = p.y;
  end[3 * i + 2] = p.z;
}
