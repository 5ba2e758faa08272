import Glibc
@testable import Platform
import Testing
import WindowProtocol

@testable import tokentry

@Suite("The program that asks an agent")
struct AskerTests {
  private func facts(
    _ executable: String?, _ arguments: [String] = [], group: String = "0::/a", start: String = "1",
    file: String = "1:1", namespace: String? = nil, isOfSystem: Bool = true, script: String? = nil
  ) -> ProcessFacts {
    var facts = ProcessFacts(
      executable: executable, arguments: arguments, controlGroup: group, startTime: start)
    (facts.file, facts.namespace, facts.isOfSystem) = (file, namespace, isOfSystem)
    facts.scriptFile = script
    return facts
  }

  private func requester(_ chain: ProcessFacts..., process: Int32 = 7) -> AgentRequester {
    AgentRequester(chain, process: process, own: "/usr/bin/tokentry")
  }

  @Test("A program is the file of its executable and its script, in its control group and file system")
  func programs() {
    let git = requester(facts("/usr/bin/git"), process: 7)
    #expect(git == requester(facts("/usr/bin/git"), process: 8))
    #expect(git != requester(facts("/usr/bin/git", group: "0::/b")))
    #expect(git != requester(facts("/tmp/git")))
    #expect(git != requester(facts("/usr/bin/git", file: "1:2")), "another file at that path")
    #expect(git != requester(facts("/usr/bin/git", namespace: "mnt:[1]")))
    let (one, other) = (["python3", "/home/me/a.py"], ["python3", "/home/me/b.py"])
    #expect(requester(facts("/usr/bin/python3.11", one)) == requester(facts("/usr/bin/python3.11", one)))
    #expect(requester(facts("/usr/bin/python3.11", one)) != requester(facts("/usr/bin/python3.11", other)))
    #expect(git.name == "git" && git.title == "git" && git.server == nil)
    #expect(requester(facts("/usr/bin/python3.11", ["python3", "/home/me/fetch.py"])).name == "fetch.py")
  }

  @Test("A tokentry asks for the program that started it")
  func helper() {
    let git = requester(facts("/usr/bin/git"))
    #expect(requester(facts(nil), facts("/usr/bin/git")) == git)
    #expect(requester(facts("/usr/bin/tokentry"), facts(nil), facts("/usr/bin/git")) == git)
    // Its ssh is not the one that brings requests from elsewhere.
    #expect(requester(facts(nil), facts("/usr/bin/ssh", ["ssh", "host"])).server == nil)
  }

  @Test("A program in a container that the system cannot look into is unknown, and like no other")
  func unknown() {
    #expect(requester().name == "?" && requester(facts(nil)) != requester())
    #expect(requester() != requester(facts("/usr/bin/git")))
    #expect(requester().group == requester(facts(nil)).group, "a refusal is for all of them")
  }

  @Test("A refusal is for all scripts of an interpreter, for a whole container, and for one ssh")
  func groups() {
    let (one, other) = (["python3", "/home/me/a.py"], ["python3", "/home/me/b.py"])
    #expect(
      requester(facts("/usr/bin/python3", one)).group == requester(facts("/usr/bin/python3", other)).group)
    #expect(requester(facts("/usr/bin/git")).group != requester(facts("/usr/bin/curl", file: "1:2")).group)
    func inside(_ executable: String, _ file: String, group: String = "0::/a") -> AgentRequester {
      requester(facts(executable, group: group, file: file, namespace: "mnt:[1]"))
    }
    #expect(inside("/a", "1:1").group == inside("/b", "1:2").group)
    #expect(inside("/a", "1:1") != inside("/b", "1:2"), "a permission is for one of them")
    #expect(inside("/a", "1:1").group != requester(facts("/a")).group)
    let ssh = ["ssh", "build.example"]
    #expect(
      requester(facts("/usr/bin/ssh", ssh)).group != requester(facts("/usr/bin/ssh", ssh), process: 8).group)
  }

  @Test(
    "Programs do not get around a refusal with control groups of their own, and containers are told apart by theirs"
  )
  func controlGroups() {
    let slice = "0::/user.slice/user-1000.slice/user@1000.service/app.slice"
    func group(_ unit: String, _ namespace: String? = "mnt:[1]") -> String {
      requester(facts("/a", group: "\(slice)/\(unit)\n", namespace: namespace)).group
    }
    #expect(group("libpod-1.scope") == group("libpod-1.scope/a/b"))
    #expect(group("libpod-1.scope/x.scope") == group("libpod-1.scope/y.slice/z.service"))
    #expect(group("libpod-1.scope") != group("libpod-2.scope"))
    #expect(group("run-1.scope", nil) == group("run-2.scope", nil), "systemd-run")
    func docker(_ path: String) -> String { requester(facts("/a", group: path, namespace: "mnt:[1]")).group }
    #expect(docker("0::/docker/1/system.slice/a.service") == docker("0::/docker/1/system.slice/b.service"))
    #expect(docker("1:name=systemd:/a") == docker("1:name=systemd:/b"))
  }

  @Test("A Flatpak is named by the control group that Flatpak made, and only in its sandbox")
  func flatpak() {
    let group = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-flatpak-org.acme.Mail-1.scope"
    let inside = requester(facts("/app/bin/mail", group: group, namespace: "mnt:[1]"))
    #expect(inside.title == "org.acme.Mail in a container")
    #expect(requester(facts("/usr/bin/git", group: group)).title == "git")
    let other = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-org.acme.Mail-1.scope"
    #expect(
      requester(facts("/usr/bin/git", group: other, namespace: "mnt:[1]")).title == "git in a container")
  }

  @Test("A permission lasts only for a program or a script that can be known again")
  func lasting() {
    func python(_ words: String..., script: String? = nil) -> AgentRequester {
      requester(facts("/usr/bin/python3.11", ["python3"] + words, script: script))
    }
    let good = python("/a/good.py", script: "1:2")
    #expect(good.isLasting && good == python("/a/good.py", script: "1:2"))
    #expect(good != python("/a/good.py", script: "1:3"), "another file at that path")
    for other in [
      python("-mevil", "/a/good.py"), python("-cCODE", "/a/good.py"), python(), python("-m", "good"),
      python("/a/good.py"),
    ] {
      #expect(!other.isLasting && other != good)
    }
    #expect(python("-c", "a") != python("-c", "b"))
    #expect(!requester(facts("/usr/bin/bash", ["bash"])).isLasting)
    #expect(!requester(facts("/usr/lib64/ld-linux-x86-64.so.2", ["ld.so", "/a"])).isLasting)
    #expect(!requester().isLasting)
    #expect(requester(facts("/usr/bin/git", ["git", "fetch"])).isLasting)
    #expect(requester(facts("/usr/bin/ssh", ["ssh", "host"])).isLasting)
  }

  @Test("A program that sees another file system is in a container, and no ssh there brings requests")
  func container() {
    let inside = requester(facts("/usr/bin/ssh", ["ssh", "build.example"], namespace: "mnt:[1]"))
    #expect(inside.isInContainer && inside.server == nil && inside.title == "ssh in a container")
    let own = RequesterProcesses.namespace(of: getpid())
    #expect(own != nil)
    let outside = requester(facts("/usr/bin/ssh", ["ssh", "build.example"], namespace: own))
    #expect(!outside.isInContainer && outside.title == "ssh to build.example")
    let fake = requester(facts("/home/me/ssh", ["ssh", "build.example"], isOfSystem: false))
    #expect(fake.server == nil && fake.name == "ssh")
  }

  @Test("Each ssh is a program of its own, with its destination")
  func ssh() {
    func ssh(_ arguments: [String], process: Int32 = 7, start: String = "1") -> AgentRequester {
      requester(facts("/usr/bin/ssh", ["ssh"] + arguments, start: start), process: process)
    }
    let one = ssh(["build.example"])
    #expect(one.title == "ssh to build.example" && one.nameForUser == "build.example (ssh)")
    for (destination, host) in [
      ("root@build.example", "build.example"), ("ssh://me@build.example:22", "build.example"),
      ("build", "build"),
    ] {
      #expect(SSHDestination.host(of: destination) == host)
    }
    #expect(one == ssh(["build.example"]))
    #expect(one != ssh(["build.example"], process: 8))
    #expect(one != ssh(["build.example"], start: "2"), "a later process with the same number")
    let shared = requester(facts("/usr/bin/ssh", ["ssh: /run/me/build [mux]", "", ""]))
    #expect(shared.server == "/run/me/build")
    #expect(ssh([]).server == "?", "others over there can ask all the same")
  }

  @Test(
    "The destination is the first word that is no option of ssh and no value of one",
    arguments: [
      (["host"], "host"), (["-v", "me@host", "ls", "-l"], "me@host"), (["-p", "22", "host"], "host"),
      (["-p22", "host"], "host"), (["-vp", "22", "host"], "host"),
      (["-o", "User=me", "-R", "/a:/b", "h"], "h"),
      (["-oUser=me", "h"], "h"), (["-NT", "-R/a:/b", "--", "h"], "h"), (["ssh://me@h:22"], "ssh://me@h:22"),
      (["-v"], nil), ([], nil),
    ] as [([String], String?)])
  func destination(arguments: [String], expected: String?) {
    #expect(AgentRequester.destination(of: ["ssh"] + arguments) == expected)
  }
}
