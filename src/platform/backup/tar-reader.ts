/** What a tar holds, in its order. */
export interface TarTarget {
  folder(path: string): void;
  /** Begins a file; its bytes follow. */
  file(path: string): void;
  bytes(piece: Buffer): void;
  /** Ends the file. */
  end(): void;
}

const BLOCK = 512;

/** Takes apart a tar as PostgreSQL writes it: files and folders, names of at most 100 bytes. */
export class TarReader {
  private readonly target: TarTarget;
  private header = Buffer.alloc(0);
  /** Bytes of the present file that are still to come, and zeros that fill its last block. */
  private left = 0;
  private filling = 0;

  constructor(target: TarTarget) {
    this.target = target;
  }

  write(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.left > 0) rest = this.takeContent(rest);
      else if (this.filling > 0) {
        const skipped = Math.min(this.filling, rest.length);
        this.filling -= skipped;
        rest = rest.subarray(skipped);
      } else rest = this.takeHeader(rest);
    }
  }

  /** @throws when the tar was cut off within a file. */
  finish(): void {
    if (this.left > 0 || this.header.length > 0) throw new Error('the copy was cut off');
  }

  private takeContent(rest: Buffer): Buffer {
    const piece = rest.subarray(0, this.left);
    this.target.bytes(piece);
    this.left -= piece.length;
    if (this.left === 0) this.target.end();
    return rest.subarray(piece.length);
  }

  private takeHeader(rest: Buffer): Buffer {
    const missing = BLOCK - this.header.length;
    this.header = Buffer.concat([this.header, rest.subarray(0, missing)]);
    if (this.header.length === BLOCK) {
      const header = this.header;
      this.header = Buffer.alloc(0);
      // Zeros end the tar.
      if (header[0] !== 0) this.begin(header);
    }
    return rest.subarray(missing);
  }

  private begin(header: Buffer): void {
    const path = textAt(header, 0, 100).replace(/^\.\//, '').replace(/\/$/, '');
    if (path.split('/').includes('..') || path.startsWith('/')) throw new Error(`unexpected name ${path}`);
    const type = String.fromCharCode(header[156]!);
    if (type === '5') return this.target.folder(path);
    if (type !== '0') throw new Error(`${path} is neither file nor folder`);
    const size = Number.parseInt(textAt(header, 124, 12), 8);
    if (!Number.isSafeInteger(size)) throw new Error(`${path} has no size`);
    this.left = size;
    this.filling = (BLOCK - (size % BLOCK)) % BLOCK;
    this.target.file(path);
    if (size === 0) this.target.end();
  }
}

function textAt(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.toString('latin1', 0, end === -1 ? length : end).trim();
}
