// Program-scope constant tables of numbers, vectors, strings and structs, and a constant pointer argument.
//! global 90  # vary: local
//! arg weights = float:data:0.5,1.5,2.5
//! arg out = float:zero:90
//! expect out[0..30] = 324 433 326 429 338 451 330 451 325 429 333 432 327 444 353 436 328 430 329 439 330 433 346 459 313 433 330 435 337 436 335
//! expect out[31..61] = 452 336 418 333 436 333 443 338 441 329 441 318 439 334 439 345 444 318 434 341 424 337 440 341 451 321 423 334 447 322 443
//! expect out[62..89] = 342 447 328 426 323 440 345 428 345 448 324 433 326 429 338 451 330 451 325 429 333 432 327 444 353 436 328 430
constant int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
constant float2 points[3] = {(float2)(1, 2), (float2)(3, 4), (float2)(5, 6)};
constant char text[] = "transpire";
constant struct { int a; char b[3]; } records[2] = {{100, "ab"}, {200, "cd"}};
constant int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
kernel void test(constant float* weights, global float* out) {
  uint n = get_global_id(0);
  float r = primes[n % 8] + points[n % 3].y * weights[n % 3];
  r += text[n % 9] + records[n & 1].a + records[n >> 1 & 1].b[n & 1] + grid[n & 1][n % 3];
  out[n] = r + primes[3];
}
