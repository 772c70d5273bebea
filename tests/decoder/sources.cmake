# Test sources of the decoder, relative to tests/.
set(TRANSPIRE_DECODER_TESTS
  decoder/annotations_test.cpp
  decoder/constants_test.cpp
  decoder/diagnostic_test.cpp
  decoder/functions_test.cpp
  decoder/grammar_test.cpp
  decoder/robustness_test.cpp
  decoder/rules_test.cpp
  decoder/support.cpp
  decoder/text_test.cpp
  decoder/types_test.cpp)
