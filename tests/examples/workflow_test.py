#!/usr/bin/env python3
"""examples/testing/github/kernels.yml: it is a workflow, and what it has run of Transpire does what it should.

usage: workflow_test.py TRANSPIRE REPOSITORY
"""
import json
import re
import shutil
import sys
import xml.etree.ElementTree as ElementTree

from support import ROOT, WRONG_KERNEL, Case, main, skip

try:
    import yaml
except ImportError:
    yaml = None

COMMAND = re.compile(r"(?m)^\s*(transpire|jq) ")


class Workflow(Case):
    def setUp(self):
        super().setUp()
        text = (self.folder / "testing/github/kernels.yml").read_text(encoding="utf-8")
        self.workflow = yaml.safe_load(text)
        self.jobs = self.workflow["jobs"]

    def run_job(self, name, code=0, **matrix):
        """Its steps that call Transpire, as a hosted runner would; what the last of them printed."""
        text = ""
        for step in self.jobs[name]["steps"]:
            script = re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda match: str(matrix[match[1]]), step.get("run", ""))
            if COMMAND.search(script) and "apt-get" not in script:
                self.assertNotIn("${{", script)
                text = self.run_("sh", "-ec", script, folder=self.folder / "testing", code=code)
        return text

    def shards(self, code=0):
        """The results of all parts, by test."""
        results, text = {}, ""
        for shard in self.jobs["test"]["strategy"]["matrix"]["shard"]:
            text += self.run_job("test", code=code(shard) if callable(code) else code, shard=shard)
            root = ElementTree.parse(self.folder / f"testing/results-{shard}.xml").getroot()
            results |= {case.get("file"): case.find("failure") is None for case in root.iter("testcase")}
        return results, text

    def findings(self):
        self.run_job("findings")
        document = json.loads((self.folder / "testing/findings.sarif").read_text(encoding="utf-8"))
        self.assertEqual((document["version"], len(document["runs"])), ("2.1.0", 1))
        driver = document["runs"][0]["tool"]["driver"]
        self.assertEqual(driver["name"], "transpire")
        results = document["runs"][0]["results"]
        self.assertEqual({result["ruleId"] for result in results}, {rule["id"] for rule in driver["rules"]})
        return [(result["ruleId"], result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) for result in results]

    def test_is_a_workflow(self):
        self.assertEqual(set(self.workflow), {"name", True, "permissions", "jobs"})  # 'on' is true in YAML 1.1
        kept = set()
        for job in self.jobs.values():
            self.assertIn(job.get("needs", "test"), self.jobs)
            self.assertLessEqual({"runs-on", "steps"}, set(job))
            for step in job["steps"]:
                self.assertEqual(len({"run", "uses"} & set(step)), 1, step)
                self.assertRegex(step.get("uses", "a/b@v1"), r"^[\w-]+/[\w/-]+@v\d+$")
                if "/cache" in step.get("uses", ""):
                    kept.add((step["with"]["path"], step["with"]["key"]))
        self.assertEqual(len(kept), 1)
        shards = self.jobs["test"]["strategy"]["matrix"]["shard"]
        self.assertEqual(shards, list(range(1, len(shards) + 1)))
        self.assertIn(f"/{len(shards)} ", json.dumps(self.jobs["test"]["steps"]))

    def test_builds_what_there_is(self):
        script = next(step["run"] for step in self.jobs["transpire"]["steps"] if "cmake" in step.get("run", ""))
        sources = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        for option in re.findall(r"-D(\w+)=", script):
            self.assertIn(f"option({option} ", sources)
        for preset in re.findall(r"--preset (\S+)", script):
            self.assertIn(f'"name": "{preset}"', (ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
        self.assertTrue((ROOT / script.split()[0]).exists())
        kept = self.jobs["transpire"]["steps"][0]["with"]
        version = re.search(r"project\(transpire VERSION ([\d.]+)", sources)[1]
        self.assertEqual(kept["key"], f"{kept['path'].split('-')[0]}-{version}")
        self.assertIn(f"--prefix ../{kept['path']}\n", script)

    def test_right_kernels(self):
        results, text = self.shards()
        self.assertEqual(results, {f"kernels/{name}": True for name in ("grey.launch", "histogram.cl", "transpose.launch")})
        self.assertNotIn("::error", text)
        self.assertEqual(self.findings(), [])

    def test_wrong_kernels(self):
        self.change(self.kernels / "grey.cl", *WRONG_KERNEL)
        results, text = self.shards(code=lambda shard: 1 if shard == 1 else 0)
        self.assertEqual([name for name, passed in results.items() if not passed], ["kernels/grey.launch"])
        self.assertRegex(text, r"(?m)^::error file=kernels/grey\.cl,line=5,col=\d+,title=TSP-R0020 in kernels/grey\.launch::")
        self.assertEqual(self.findings(), [("TSP-R0020", "kernels/grey.cl"), ("TSP-R0021", "kernels/grey.cl"),
                                           *[("TSP-R0030", "kernels/grey.cl")] * 4,
                                           ("TSP-C0023", "kernels/grey.launch")])


if __name__ == "__main__":
    if yaml is None or shutil.which("jq") is None:
        skip("python3-yaml or jq")
    main()
