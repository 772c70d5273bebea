// The other half of linked_caller.cl: it has no launch of its own.
extern const constant uint library_factor[2];
const constant uint library_factor[2] = {3, 2};
uint library_scale(uint x) { return x * library_factor[0] + library_factor[1]; }
