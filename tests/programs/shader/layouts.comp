// std140 and std430: vectors of three, arrays with a stride of their own, structs in a runtime array and its length.
//! spec 3 = 2
//! global 4,2
//! arg params = data:{scale=(1,10,100,0), w={5,6,7}, count=8}
//! arg parts = int:fill:3:100:raw
//! arg 0.0 = float4:fill:0:8
//! expect o = (26,162,1612,12) (28,182,1812,12) (30,202,2012,12) (26,162,1612,12) (28,182,1812,12) (30,202,2012,12) (26,162,1612,12) (28,182,1812,12)
//! expect parts = 3 3 3 3 1096810496 1097859072 1098907648 3 3 3 9 8 1098907648 1099431936 1099956224 3 3 3 9 8 1099956224 1100480512 1101004800 3 3 3 9 8 1096810496 1097859072 1098907648 3 3 3 9 8 1098907648 1099431936 1099956224 3 3 3 9 8 1099956224 1100480512 1101004800 3 3 3 9 8 1096810496 1097859072 1098907648 3 3 3 9 8 1098907648 1099431936 1099956224 3 3 3 9 8 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3
#version 450
layout(local_size_x_id = 3, local_size_y = 2) in;
struct Particle { vec3 pos; int mass; ivec2 cell[2]; };
layout(std140, set = 1, binding = 2) uniform Params { vec4 scale; float w[3]; uint count; } params;
layout(std430, set = 0, binding = 5) buffer Parts { uint n; Particle p[]; } parts;
layout(std430, binding = 0) buffer Out { vec4 o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  if (i >= parts.p.length()) return;
  Particle q = parts.p[i];
  q.pos = vec3(1, 2, 3) + params.w[i % 3] * 2.0 + float(q.mass);
  parts.p[i].pos = q.pos;
  parts.p[i].cell[1] = ivec2(q.mass * q.mass, params.count);
  o[i] = vec4(q.pos, 0) * params.scale + float(parts.p.length());
}
