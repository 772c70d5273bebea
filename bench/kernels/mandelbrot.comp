// mandelbrot.cl in GLSL.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(std430, binding = 0) writeonly buffer Counts { uint counts[]; };
layout(push_constant) uniform Values {
  uint width;
  uint height;
  float left;
  float top;
  float step_size;
  uint limit;
};

void main() {
  uint column = gl_GlobalInvocationID.x;
  uint row = gl_GlobalInvocationID.y;
  if (column >= width || row >= height) return;
  precise float cr = left + float(column) * step_size;
  precise float ci = top + float(row) * step_size;
  precise float zr = 0.0;
  precise float zi = 0.0;
  uint count = 0;
  while (count < limit) {
    precise float rr = zr * zr;
    precise float ii = zi * zi;
    precise float size = rr + ii;
    if (size > 4.0) break;
    zi = 2.0 * zr * zi + ci;
    zr = rr - ii + cr;
    ++count;
  }
  counts[row * width + column] = count;
}
