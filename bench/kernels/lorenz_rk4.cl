// Fourth-order Runge-Kutta on the Lorenz system in double precision, a trajectory per work-item.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

static double3 lorenz(double3 p) {
  return (double3)(10.0 * (p.y - p.x), p.x * (28.0 - p.z) - p.y, p.x * p.y - (8.0 / 3.0) * p.z);
}

__kernel void lorenz_rk4(__global const double* start, __global double* end, double dt, uint steps,
                         uint n) {
  size_t i = get_global_id(0);
  if (i >= n) return;
  double3 p = vload3(i, start);
  uint step;
  for (step = 0; step < steps; ++step) {
    double3 k1 = lorenz(p);
    double3 k2 = lorenz(p + k1 * (0.5 * dt));
    double3 k3 = lorenz(p + k2 * (0.5 * dt));
    double3 k4 = lorenz(p + k3 * dt);
    p += (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (dt / 6.0);
  }
  vstore3(p, i, end);
}
