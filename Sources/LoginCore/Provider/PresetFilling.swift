/// Fills in the variables of one member of a preset, which a fault names.
struct PresetFilling {
  let path: [String]
  let template: Template

  func text(_ pattern: String) throws(PresetRefusal) -> String {
    do throws(TemplateFault) { return try template.text(pattern) } catch { throw refusal(error) }
  }

  /// The address that a pattern becomes.
  func address<Address>(
    _ pattern: String, _ parse: (String) throws(AddressFault) -> Address
  ) throws(PresetRefusal) -> Address {
    do throws(TemplateFault) {
      let text = try template.address(pattern)
      do throws(AddressFault) { return try parse(text) } catch { throw .address(text, error) }
    } catch {
      throw refusal(error)
    }
  }

  private func refusal(_ fault: TemplateFault) -> PresetRefusal {
    PresetRefusal(path: path, reason: .template(member: path.joined(separator: "."), fault))
  }
}
