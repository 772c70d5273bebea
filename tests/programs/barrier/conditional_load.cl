// Each work-item touches a word of its own alone, one of them more often: an optimiser that loads the word for all of them would make a race.
//! global 64
//! local 64
//! check race
//! arg out = uint:zero:64
//! expect out[6..8] = 7 107 9
//! expect no faults
kernel void adds(global uint* out) {
  local uint words[64];
  const uint i = get_local_id(0);
  words[i] = 100;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint x = i + 1;
  if (i == 7) x = words[7] + 7;
  words[i] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = words[i];
}
