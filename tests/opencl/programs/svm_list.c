/* A linked list in shared virtual memory, entered by pointer and through a buffer: 2 launches. */
#include "tests/opencl/programs/host.h"

struct node {
  struct node* next;
  cl_ulong value;
};

int main(void) {
  open_device();
  const cl_program program = program_of(
      "struct node { global struct node* next; ulong value; };\n"
      "kernel void sum(global struct node* list, global ulong* total, global struct node* last) {\n"
      "  ulong t = 0;\n"
      "  for (global struct node* n = list; n != 0; n = n->next) {\n"
      "    t += n->value;\n"
      "    n->value *= 2;\n"
      "    if (n->next == 0 && last != 0) { n->next = last; last->next = 0; last = 0; }\n"
      "  }\n"
      "  *total = t;\n"
      "}\n",
      "-cl-std=CL2.0");
  struct node* nodes = clSVMAlloc(context, CL_MEM_READ_WRITE, 10 * sizeof *nodes, 0);
  struct node* last = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof *last, 0);
  EXPECT(nodes != NULL && last != NULL);
  CHECK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, nodes, 10 * sizeof *nodes, 0, NULL, NULL));
  for (int i = 0; i < 10; ++i) {
    nodes[i].next = i % 2 == 0 ? &nodes[i + 1] : i == 9 ? NULL : &nodes[i + 1];
    nodes[i].value = (cl_ulong)i;
  }
  CHECK(clEnqueueSVMUnmap(queue, nodes, 0, NULL, NULL));
  last->next = NULL;
  last->value = 1000;
  const cl_kernel sum = kernel_of(program, "sum");
  const cl_mem total = buffer_of(CL_MEM_READ_WRITE, sizeof(cl_ulong), NULL);
  void* used[] = {nodes, last};
  CHECK(clSetKernelExecInfo(sum, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof used, used));
  cl_ulong found = 0;
  for (int round = 0; round < 2; ++round) {
    CHECK(clSetKernelArgSVMPointer(sum, 0, nodes + 1));
    set_buffer(sum, 1, total);
    CHECK(clSetKernelArgSVMPointer(sum, 2, round == 0 ? last : NULL));
    launch(sum, 1, 0);
    read_back(total, sizeof found, &found);
    EXPECT(found == (round == 0 ? 1045u : 2090u));
  }
  clSVMFree(context, nodes);
  clSVMFree(context, last);
  return 0;
}
