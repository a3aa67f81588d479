"""Packs the road addresses of the PyPI package `kozip` into api/data/addresses.br, which the program searches.

    pip download --no-deps kozip==1.1.4 && unzip -o kozip-1.1.4-py3-none-any.whl -d kozip-files
    pip install brotli
    python3 api/data/pack_addresses.py kozip-files/kozip/new_zip.json api/data/addresses.br

Takes about two minutes and 4 GB of memory. Running it again gives the same bytes. Where the data comes from: NOTICE.

The unpacked form, integers as LEB128 varints, texts as length and UTF-8:

    magic "JBADDR1\\n", number of regions, then of each region, sorted:
        province, district, number of places, each place's text ("역삼동", "설악면 신천리"; may be empty), number of rows
        of each row, sorted by road, postcode, place:
            bytes of the road's name that are those of the row before, the rest of it as a text,
            postcode less that of the row before (zigzag), number of the place, number of buildings, length of their bytes,
            buildings, sorted: twice the main number's step, plus 1 where a second number follows;
            a step of 0 is another second number of the same main number, as the step of the second number
"""

import brotli
import json
import sys


def varint(out, number):
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def text(out, words):
    data = words.encode()
    varint(out, len(data))
    out += data


def rows(node, postcode, path, found):
    """The leaves are "도로명 번호|동" under postcode, province and district."""
    if isinstance(node, dict):
        for name, below in node.items():
            rows(below, postcode, path + (name,), found)
    elif isinstance(node, list):
        for below in node:
            rows(below, postcode, path, found)
    else:
        road, _, place = node.partition("|")
        road, _, number = road.rpartition(" ")
        main, _, second = number.partition("-")
        region = found.setdefault(path, {})
        region.setdefault((road, int(postcode), place), set()).add((int(main), int(second or 0)))


def buildings(numbers):
    out = bytearray()
    last_main, last_second = 0, 0
    for main, second in sorted(numbers):
        step = main - last_main
        if step == 0:
            varint(out, 0)
            varint(out, second - last_second)
        elif second == 0:
            varint(out, step * 2)
        else:
            varint(out, step * 2 + 1)
            varint(out, second)
        last_main, last_second = main, second
    return out


def packed(regions):
    out = bytearray(b"JBADDR1\n")
    varint(out, len(regions))
    for (province, district), groups in sorted(regions.items()):
        text(out, province)
        text(out, district)
        places = sorted({place for _, _, place in groups})
        varint(out, len(places))
        for place in places:
            text(out, place)
        varint(out, len(groups))
        last_road, last_postcode = b"", 0
        for (road, postcode, place), numbers in sorted(groups.items()):
            name = road.encode()
            same = 0
            while same < min(len(name), len(last_road)) and name[same] == last_road[same]:
                same += 1
            varint(out, same)
            varint(out, len(name) - same)
            out += name[same:]
            step = postcode - last_postcode
            varint(out, step * 2 if step >= 0 else -step * 2 - 1)
            varint(out, places.index(place))
            varint(out, len(numbers))
            own = buildings(numbers)
            varint(out, len(own))
            out += own
            last_road, last_postcode = name, postcode
    return out


def main(source, target):
    with open(source, encoding="utf-8") as file:
        regions = {}
        for postcode, below in json.load(file).items():
            rows(below, postcode, (), regions)
    plain = bytes(packed(regions))
    with open(target, "wb") as file:
        file.write(brotli.compress(plain, quality=11, lgwin=24))
    count = sum(len(numbers) for groups in regions.values() for numbers in groups.values())
    print(f"{count} addresses, {len(plain)} bytes plain")


if __name__ == "__main__":
    main(*sys.argv[1:])
