// One time step of all-pairs gravity; a body is (x, y, z, mass). Reads one set of positions and
// writes another, so work-items never race.
#pragma OPENCL FP_CONTRACT OFF

__kernel void nbody(__global const float4* positions, __global float4* velocities,
                    __global float4* next_positions, uint n, float dt, float softening) {
  size_t i = get_global_id(0);
  if (i >= n) return;
  float4 self = positions[i];
  float3 force = (float3)(0.0f, 0.0f, 0.0f);
  uint j;
  for (j = 0; j < n; ++j) {
    float4 other = positions[j];
    float3 d = other.xyz - self.xyz;
    float inverse = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + softening);
    force += d * (other.w * inverse * inverse * inverse);
  }
  float4 velocity = velocities[i];
  velocity.xyz += force * dt;
  velocities[i] = velocity;
  next_positions[i] = (float4)(self.xyz + velocity.xyz * dt, self.w);
}
