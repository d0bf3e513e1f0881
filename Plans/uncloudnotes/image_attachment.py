"""Makes an image attachment of every attachment: with the size of its image, and with the beginning of its note as the
caption. The same as ImageAttachmentPolicy.swift for PNG and JPEG images.

    bulkmigrate run --policy AttachmentToImageAttachmentMigrationPolicyV3toV4='python3 image_attachment.py'
"""
import base64
import json
import struct
import sys

CAPTION_UNITS = 80


def png_size(data):
    if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR" and len(data) >= 24:
        return struct.unpack(">II", data[16:24])


def jpeg_size(data):
    """The size in the first frame header among the segments: ITU-T T.81, B.2.2."""
    if not data.startswith(b"\xff\xd8"):
        return None
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        marker, length = data[place + 1], int.from_bytes(data[place + 2:place + 4], "big")
        if marker == 0xFF:
            place += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[place + 5:place + 9])
            return width, height
        elif length < 2:
            return None
        else:
            place += 2 + length
    return None


def caption(body):
    """The first 80 UTF-16 units of a text, without the half of a character."""
    return (body or "").encode("utf-16-le")[:2 * CAPTION_UNITS].decode("utf-16-le", "ignore")


def attachment(key, image, body):
    values = {"caption": caption(body)}
    data = base64.b64decode(image or "")
    size = png_size(data) or jpeg_size(data)
    if size:
        values |= {"width": size[0], "height": size[1]}
    return {"set": values}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"id": request["id"]}
    if request["hook"] == "start":
        answer |= {"bulkmigrate": "policy/1", "hooks": ["createDestinationInstances"], "values": ["image", "note.body"]}
    elif request["hook"] == "createDestinationInstances":
        answer["objects"] = [attachment(*row) for row in request["rows"]]
    print(json.dumps(answer), flush=True)
