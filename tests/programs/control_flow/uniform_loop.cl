// A loop whose bounds are the same for all lanes (an argument), around a body that diverges.
//! kernel test
//! global 100
//! arg out = uint:zero:100
//! arg turns = uint:11
//! # vary: local
//! expect out[0..17] = 214 215 216 217 218 219 220 221 222 223 224 225 226 227 228 229 230 231
//! expect out[18..35] = 232 233 234 235 236 237 238 239 240 241 242 243 244 245 246 247 248 249
//! expect out[36..53] = 250 251 252 253 254 255 256 257 258 259 260 261 262 263 264 265 266 267
//! expect out[54..71] = 268 269 270 271 272 273 274 275 276 277 278 279 280 281 282 283 284 285
//! expect out[72..89] = 286 287 288 289 290 291 292 293 294 295 296 297 298 299 300 301 302 303
//! expect out[90..99] = 304 305 306 307 308 309 310 311 312 313
kernel void test(global uint* out, uint turns) {
  uint n = get_global_id(0), r = n;
  for (uint i = 0; i < turns; i++) {
    if (i == 3) continue;
    if (turns > 20) break;
    r += r & 1 ? i : i * i;
  }
  out[n] = r;
}
