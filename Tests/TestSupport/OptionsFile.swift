import Foundation

/// The options that give a program wishes that only a document has: `--options` and its file.
public func optionsFile(_ members: [String: Any]) -> [String] {
  let data = (try? JSONSerialization.data(withJSONObject: members, options: .sortedKeys)) ?? Data()
  let path = documents + UUID().uuidString + ".json"
  _ = FileManager.default.createFile(atPath: path, contents: data, attributes: [.posixPermissions: 0o600])
  return ["--options", path]
}

/// The folder of all documents, which this process removes when it ends.
private let documents: String = {
  let folder = FileManager.default.temporaryDirectory.appending(path: "documents-\(getpid())").path()
  try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  atexit { try? FileManager.default.removeItem(atPath: documents) }
  return folder + "/"
}()
