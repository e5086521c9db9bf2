import type { Reason } from '../../../accounting/problem.ts';

export const BINARY: Reason = { reason: 'BINARY_FILE' };

const SPREADSHEET: Reason = { reason: 'SPREADSHEET' };

const COMPRESSED: Reason = { reason: 'COMPRESSED_FILE' };

const PDF: Reason = { reason: 'PDF_FILE' };

const PICTURE: Reason = { reason: 'PICTURE' };

const UTF16: Reason = { reason: 'UTF16_FILE' };

/**
 * Magic bytes of other formats. Workbooks are zip files: they are not unpacked here, so that none can grow larger than
 * its size.
 */
const SIGNATURES: readonly (readonly [signature: readonly number[], reason: Reason])[] = [
  [[0x50, 0x4b, 0x03, 0x04], SPREADSHEET],
  [[0xd0, 0xcf, 0x11, 0xe0], SPREADSHEET],
  [[0x50, 0x4b, 0x05, 0x06], COMPRESSED],
  [[0x1f, 0x8b], COMPRESSED],
  [[0x52, 0x61, 0x72, 0x21], COMPRESSED],
  [[0x37, 0x7a, 0xbc, 0xaf], COMPRESSED],
  [[0x25, 0x50, 0x44, 0x46], PDF],
  [[0x89, 0x50, 0x4e, 0x47], PICTURE],
  [[0xff, 0xd8, 0xff], PICTURE],
  [[0x47, 0x49, 0x46, 0x38], PICTURE],
  [[0xff, 0xfe], UTF16],
  [[0xfe, 0xff], UTF16],
];

export const MAX_SIGNATURE = 4;

/** Why bytes that begin so are no text file; undefined when they may be one. */
export function otherFormat(head: Uint8Array): Reason | undefined {
  return SIGNATURES.find(([signature]) => signature.every((byte, at) => head[at] === byte))?.[1];
}
