"""PNG files of eight bits a channel, as other programs write them."""
import struct
import zlib


def png_rows(path):
    """Rows of RGB, from the top down: eight bits a channel, with or without alpha."""
    with open(path, "rb") as f:
        data = f.read()
    at, packed, channels = 8, b"", 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            channels = {2: 3, 6: 4}[color]
            assert depth == 8
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    raw, stride, rows, before = (zlib.decompress(packed), width * channels, [],
                                 bytes(width * channels))
    for y in range(height):
        method, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1)
                                                            + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            a, b, c = (line[i - channels] if i >= channels
                       else 0), before[i], (before[i - channels] if i >= channels else 0)
            p = a + b - c
            nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            line[i] = line[i] + (0, a, b, (a + b) // 2, nearest)[method] & 255
        before = bytes(line)
        rows.append([before[x * channels:x * channels + 3] for x in range(width)])
    return rows
