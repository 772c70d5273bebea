// nbody.cl in GLSL.
#version 450
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer Positions { vec4 positions[]; };
layout(std430, binding = 1) buffer Velocities { vec4 velocities[]; };
layout(std430, binding = 2) writeonly buffer NextPositions { vec4 next_positions[]; };
layout(push_constant) uniform Values { uint n; float dt; float softening; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  precise vec4 self = positions[i];
  precise vec3 force = vec3(0.0);
  for (uint j = 0; j < n; ++j) {
    vec4 other = positions[j];
    precise vec3 d = other.xyz - self.xyz;
    precise float inverse = inversesqrt(d.x * d.x + d.y * d.y + d.z * d.z + softening);
    force += d * (other.w * inverse * inverse * inverse);
  }
  precise vec4 velocity = velocities[i];
  velocity.xyz += force * dt;
  velocities[i] = velocity;
  precise vec4 next = vec4(self.xyz + velocity.xyz * dt, self.w);
  next_positions[i] = next;
}
