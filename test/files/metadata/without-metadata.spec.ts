import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { withoutMetadata } from '../../../src/files/metadata/without-metadata.ts';
import { inPieces, longGif, photo, pngChunk, quarters } from '../../support/pictures.ts';

const SECRETS = ['Ada', 'SN4711', 'Room 7'];

/** With place, owner, device, texts and a colour profile, and turned. */
const tagged = (picture: Sharp, orientation = 6) =>
  picture
    .withIccProfile('p3')
    .withExif({
      IFD0: { Copyright: 'Ada', Artist: 'Ada' },
      IFD2: { BodySerialNumber: 'SN4711' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' },
    })
    .withMetadata({ orientation })
    .withXmp(
      '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">' +
        'Room 7</x:xmpmeta><?xpacket end="w"?>',
    );

const without = async (bytes: Uint8Array, pieceBytes = 64 * 1024): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(withoutMetadata(inPieces(bytes, pieceBytes))));

const END_OF_JPEG = Buffer.of(0xff, 0xd9);

const pixelsOf = (bytes: Uint8Array) =>
  sharp(bytes, { failOn: 'none' }).autoOrient().raw().toBuffer();

const formats = {
  JPEG: (picture: Sharp) => picture.jpeg(),
  'progressive JPEG': (picture: Sharp) => picture.jpeg({ progressive: true }),
  PNG: (picture: Sharp) => picture.png(),
  'lossy WebP': (picture: Sharp) => picture.webp(),
  'lossless WebP': (picture: Sharp) => picture.webp({ lossless: true }),
  AVIF: (picture: Sharp) => picture.avif(),
} as const;

describe.each(Object.entries(formats))('%s without metadata', (name, made) => {
  it('has the same pixels, colours and orientation, and says nothing of people', async () => {
    const bytes = await made(tagged(photo(90, 70))).toBuffer();
    const before = await sharp(bytes).metadata();
    expect(before.exif?.toString()).toContain('SN4711');
    expect(before.xmp?.toString()).toContain('Room 7');
    const cleaned = await without(bytes);
    for (const secret of SECRETS) expect(cleaned.includes(secret)).toBe(false);
    const after = await sharp(cleaned).metadata();
    expect(after.xmp?.toString() ?? '').not.toContain('Room 7');
    expect(after.icc).toEqual(before.icc);
    expect(after.orientation).toBe(before.orientation);
    expect([after.width, after.height]).toEqual([before.width, before.height]);
    expect(await pixelsOf(cleaned)).toEqual(await pixelsOf(bytes));
  });

  it('is the same for any chunking, and idempotent', async () => {
    const bytes = await made(tagged(photo(90, 70))).toBuffer();
    const cleaned = await without(bytes);
    for (const length of [1, 7, 1_000]) {
      expect((await without(bytes, length)).equals(cleaned)).toBe(true);
    }
    expect((await without(cleaned)).equals(cleaned)).toBe(true);
  });

  it('stays as it is where there is nothing to remove', async () => {
    const bytes = await made(quarters()).toBuffer();
    expect((await without(bytes)).equals(bytes)).toBe(true);
  });

  it.each([1, 3, 8])('is turned as it was: %i', async (orientation) => {
    const bytes = await made(tagged(quarters(), orientation)).toBuffer();
    const cleaned = await without(bytes);
    expect(await pixelsOf(cleaned)).toEqual(await pixelsOf(bytes));
  });

  it('is never made worse, and never fails, wherever it is cut or garbled', async () => {
    const random = seeded(name);
    const noise = Buffer.from(Array.from({ length: 40 * 30 * 3 }, () => random(256)));
    const raw = { width: 40, height: 30, channels: 3 } as const;
    const bytes = await made(tagged(sharp(noise, { raw }))).toBuffer();
    const failures: string[] = [];
    for (let round = 0; round < 150; round += 1) {
      const garbled = Buffer.from(
        bytes.subarray(0, round % 3 === 0 ? random(bytes.length) : undefined),
      );
      for (let flips = random(4); flips > 0 && garbled.length > 0; flips -= 1) {
        garbled[random(garbled.length)] = random(256);
      }
      const cleaned = await without(garbled).catch((error: Error) => error);
      if (cleaned instanceof Error) {
        if (cleaned.name !== 'MetadataStay') failures.push(`${round}: ${cleaned.stack}`);
        continue;
      }
      if (cleaned.length > garbled.length) failures.push(`${round}: it has grown`);
      const strict = { failOn: 'error' } as const;
      const before = await sharp(garbled, strict)
        .raw()
        .toBuffer()
        .catch(() => null);
      if (before === null) continue;
      const after = await sharp(cleaned, strict)
        .raw()
        .toBuffer()
        .catch(() => null);
      if (!after?.equals(before)) failures.push(`${round}: its pixels have changed`);
    }
    expect(failures).toEqual([]);
  });
});

const heifBox = (type: string, ...content: readonly Buffer[]): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  return Buffer.concat([size, Buffer.from(type), ...content]);
};

interface Place {
  readonly start: number;
  readonly bytes: number;
}

/** A box `meta` of one item of EXIF data with these extents, in the file or in the box. */
const heifMeta = (
  place: 'file' | 'meta' | 'item',
  extents: readonly Place[],
  { type = 'Exif', version = 2 } = {},
): Buffer => {
  const table = Buffer.alloc(8 * extents.length);
  extents.forEach(({ start, bytes }, index) => {
    table.writeUInt32BE(start, 8 * index);
    table.writeUInt32BE(bytes, 8 * index + 4);
  });
  const item = Buffer.alloc(8);
  item.writeUInt16BE(1, 0);
  item.writeUInt16BE(['file', 'meta', 'item'].indexOf(place), 2);
  item.writeUInt16BE(extents.length, 6);
  const info = heifBox('infe', Buffer.of(version, 0, 0, 0, 0, 1, 0, 0), Buffer.from(`${type}\0`));
  const infos = heifBox('iinf', Buffer.of(0, 0, 0, 0, 0, 1), info);
  const places = heifBox('iloc', Buffer.of(1, 0, 0, 0, 0x44, 0, 0, 1), item, table);
  const idat = heifBox('idat', Buffer.alloc(100, 'Ada'));
  return heifBox('meta', Buffer.alloc(4), infos, places, idat);
};

const heif = (...about: Parameters<typeof heifMeta>): Buffer =>
  Buffer.concat([heifBox('ftyp', Buffer.from('heic'), Buffer.alloc(4)), heifMeta(...about)]);

/** One item of EXIF data that the file describes, and one that its track does. */
const heifSequence = (first: 'meta' | 'moov', byFile: Place, byTrack: Place): Buffer => {
  const meta = heifMeta('file', [byFile]);
  const moov = heifBox('moov', heifBox('trak', heifMeta('file', [byTrack])));
  return Buffer.concat([
    heifBox('ftyp', Buffer.from('avis'), Buffer.alloc(4)),
    ...(first === 'meta' ? [meta, moov] : [moov, meta]),
    heifBox('mdat', Buffer.from('kept Eve Bob kept')),
  ]);
};

/** The same numbers in each run. */
const seeded = (seed: string) => {
  let state = Buffer.from(seed).reduce((sum, one) => (sum * 31 + one) >>> 0, 7);
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

describe('a picture without metadata', () => {
  it('of JPEG has no comment, no other picture behind it and no data of makers', async () => {
    const bytes = await quarters().jpeg().toBuffer();
    const segment = (code: number, text: string) =>
      Buffer.concat([Buffer.of(0xff, code, 0, 2 + text.length), Buffer.from(text)]);
    const more = Buffer.concat([
      bytes.subarray(0, 2),
      segment(0xfe, 'Ada'),
      segment(0xe2, 'MPF\0 Ada'),
      segment(0xed, 'Photoshop 3.0\0Ada'),
      bytes.subarray(2),
      Buffer.from('Ada: a film of Room 7'),
    ]);
    expect((await without(more)).equals(bytes)).toBe(true);
  });

  it('of JPEG has no thumbnail', async () => {
    const bytes = await quarters().jpeg().toBuffer();
    const withJfif = (thumbnail: string) => {
      const sides = thumbnail === '' ? [0, 0] : [1, 1];
      const segment = Buffer.concat([
        Buffer.from('\xff\xe0\0\0JFIF\0\x01\x01\0\0\x01\0\x01', 'latin1'),
        Buffer.from(sides),
        Buffer.from(thumbnail),
      ]);
      segment.writeUInt16BE(segment.length - 2, 2);
      return Buffer.concat([bytes.subarray(0, 2), segment, bytes.subarray(2)]);
    };
    for (const length of [1, 64])
      expect((await without(withJfif('Ada'), length)).equals(withJfif(''))).toBe(true);
  });

  it('of PNG has no texts and no time', async () => {
    const bytes = await quarters().png().toBuffer();
    const more = Buffer.concat([
      bytes.subarray(0, 33),
      pngChunk('tEXt', Buffer.from('Author\0Ada')),
      pngChunk('zTXt', Buffer.from('Raw profile type exif\0Ada')),
      pngChunk('iTXt', Buffer.from('XML:com.adobe.xmp\0Ada')),
      pngChunk('tIME', Buffer.from([7, 234, 1, 1, 1, 1, 1])),
      pngChunk('prVt', Buffer.from('Ada')),
      bytes.subarray(33),
      Buffer.from('Ada'),
    ]);
    expect((await without(more)).equals(bytes)).toBe(true);
  });

  it('of GIF has no comment and no XMP, and still moves', async () => {
    const frames = longGif(20, 3);
    const loop = Buffer.from('21ff0b4e45545343415045322e300301000000', 'hex');
    const head = frames.subarray(0, 19);
    const bytes = Buffer.concat([head, loop, frames.subarray(19)]);
    const more = Buffer.concat([
      head,
      loop,
      Buffer.from('\x21\xfe\x03Ada\0', 'latin1'),
      Buffer.from('\x21\xff\x0bXMP DataXMP\x03Ada\0', 'latin1'),
      frames.subarray(19),
      Buffer.from('Ada'),
    ]);
    for (const length of [1, 64]) expect((await without(more, length)).equals(bytes)).toBe(true);
    expect((await sharp(await without(more)).metadata()).pages).toBe(3);
  });

  it('is refused when its metadata cannot be separated', async () => {
    const bytes = await tagged(quarters()).avif().toBuffer();
    const at = bytes.indexOf('iloc');
    const broken = Buffer.from(bytes);
    broken[at + 11] = 0xff;
    await expect(without(broken)).rejects.toMatchObject({ name: 'MetadataStay' });
  });

  it('is refused where a decoder needs parts that are not known', async () => {
    const jpeg = await quarters().jpeg().toBuffer();
    const jpegLs = Buffer.from(
      'ffd8fff7000b080002000201011100ffda0008010100000000aabbccffd9',
      'hex',
    );
    const png = await quarters().png().toBuffer();
    const extended = [0xf0, 0xf8, 0xfd].map((code) =>
      Buffer.concat([jpeg.subarray(0, 2), Buffer.of(0xff, code, 0, 2), jpeg.subarray(2)]),
    );
    const critical = [8, 33].map((at) =>
      Buffer.concat([png.subarray(0, at), pngChunk('CRIT', Buffer.of(1)), png.subarray(at)]),
    );
    for (const bytes of [jpegLs, ...extended, ...critical])
      await expect(without(bytes)).rejects.toMatchObject({ name: 'MetadataStay' });
  });

  it('of HEIF has no documents, in its items or in the boxes of a sequence', async () => {
    const all = [{ start: 0, bytes: 100 }];
    for (const type of ['Exif', 'mime', 'uri '])
      expect((await without(heif('meta', all, { type }))).includes('Ada')).toBe(false);
    const documents = heifBox('meta', Buffer.alloc(4), heifBox('xml ', Buffer.from('Ada')));
    const track = heifBox('trak', heifBox('tkhd', Buffer.from('kept')), documents);
    const sequence = Buffer.concat([
      heifBox('ftyp', Buffer.from('avis'), Buffer.alloc(4)),
      heifBox('moov', heifBox('udta', Buffer.from('Ada')), track),
    ]);
    const cleaned = await without(sequence);
    expect(cleaned).toHaveLength(sequence.length);
    expect([cleaned.includes('Ada'), cleaned.includes('kept')]).toEqual([false, true]);
  });

  describe.each(['meta', 'moov'] as const)('of a HEIF sequence that begins with %s', (first) => {
    const place = { start: 0, bytes: 3 };
    const start = heifSequence(first, place, place).indexOf('Eve');
    const [eve, bob] = [
      { start, bytes: 3 },
      { start: start + 4, bytes: 3 },
    ];
    const both = { start, bytes: 7 };

    it.each([
      ['other data', eve, bob],
      ['other data before', bob, eve],
      ['the same data', both, both],
      ['more data', bob, both],
    ])('has no data of the file, and none of its track: %s', async (_, byFile, byTrack) => {
      const sequence = heifSequence(first, byFile, byTrack);
      const cleaned = await without(sequence);
      expect(cleaned).toHaveLength(sequence.length);
      expect(cleaned.toString('latin1')).toMatch(/kept \0{3}.\0{3} kept$/);
    });

    it('is refused where data come before a description, or are within one', async () => {
      for (const other of [
        { start: 30, bytes: 3 },
        { start: start - 20, bytes: 3 },
      ])
        for (const bytes of [heifSequence(first, other, bob), heifSequence(first, bob, other)])
          await expect(without(bytes)).rejects.toMatchObject({ name: 'MetadataStay' });
    });
  });

  it('of HEIF is refused where it has more than one box `meta` or `moov`', async () => {
    const later = { start: 10_000, bytes: 1 };
    const sequence = heifSequence('meta', later, later);
    for (const again of [heifMeta('file', [later]), heifBox('moov')]) {
      const twice = Buffer.concat([sequence, again]);
      await expect(without(twice)).rejects.toMatchObject({ name: 'MetadataStay' });
    }
  });

  it('of HEIF is refused where items have no types, or are within each other', async () => {
    const all = [{ start: 0, bytes: 100 }];
    for (const bytes of [heif('meta', all, { version: 1 }), heif('item', all)])
      await expect(without(bytes)).rejects.toMatchObject({ name: 'MetadataStay' });
  });

  it('of HEIF is made in a time that overlapping metadata do not multiply', async () => {
    const overlapping = Array.from({ length: 3_000 }, () => ({ start: 40_000, bytes: 50_000 }));
    const pictures = Array.from({ length: 3_000 }, () => heifBox('mdat'));
    const began = performance.now();
    const cleaned = await without(Buffer.concat([heif('file', overlapping), ...pictures]));
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(cleaned.length).toBeGreaterThan(pictures.length * 8);
  });

  it('of HEIF is refused with more extents than any picture has, or some outside', async () => {
    const many = Array.from({ length: 20_001 }, () => ({ start: 0, bytes: 1 }));
    const outside = [{ start: 0, bytes: 1_000_000 }];
    for (const extents of [many, outside])
      await expect(without(heif('meta', extents))).rejects.toMatchObject({ name: 'MetadataStay' });
    const half = Array.from({ length: 10_001 }, () => ({ start: 1e6, bytes: 1 }));
    const track = heifBox('trak', heifMeta('file', half));
    const tracks = Buffer.concat([heif('file', []), heifBox('moov', track, track)]);
    await expect(without(tracks)).rejects.toMatchObject({ name: 'MetadataStay' });
  });

  it('is made while other work has its turns, however many steps a file has', async () => {
    const head = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(7)]);
    const image = Buffer.concat([Buffer.of(0x2c), Buffer.alloc(9), Buffer.of(2)]);
    const blocks = Buffer.alloc(40_000, 1);
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    const bytes = Buffer.concat([head, image, blocks]);
    expect((await without(bytes)).equals(bytes)).toBe(true);
    isOver = true;
    expect(turns).toBeGreaterThan(20);
  });

  it('is refused when it takes more steps than that of any picture', async () => {
    const head = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(7)]);
    const image = Buffer.concat([Buffer.of(0x2c), Buffer.alloc(9), Buffer.of(2)]);
    const bytes = Buffer.concat([head, image, Buffer.alloc(2_000, 1)]);
    const taken = Array.fromAsync(withoutMetadata(inPieces(bytes, 64), 1_000));
    await expect(taken).rejects.toMatchObject({ name: 'MetadataStay' });
  });

  it('of JPEG takes no steps for the data of a scan', async () => {
    const scan = Buffer.from('ffd8ffda000801010000003f00', 'hex');
    const bytes = Buffer.concat([scan, Buffer.alloc(20_000, Buffer.of(0xff, 0, 7)), END_OF_JPEG]);
    for (const pieceBytes of [1_000, 64 * 1024]) {
      const pieces = await Array.fromAsync(withoutMetadata(inPieces(bytes, pieceBytes), 100));
      expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    }
  });

  it('is no matter for other files', async () => {
    for (const text of ['', 'a', '%PDF-1.7 Ada', '<svg>Ada</svg>', 'RIFF....WAVE Ada'])
      expect((await without(Buffer.from(text))).toString()).toBe(text);
  });

  it('lets go of bytes that it does not need any more', async () => {
    let isClosed = false;
    const source = async function* () {
      try {
        for (;;) yield Buffer.alloc(1_000);
      } finally {
        isClosed = true;
      }
    };
    for await (const _ of withoutMetadata(source())) break;
    expect(isClosed).toBe(true);
  });
});
