/// The encoding of the texts of a file, by the number in its header.
enum TextEncoding: UInt32 {
  case utf8 = 1
  case utf16LittleEndian = 2
  case utf16BigEndian = 3
}
