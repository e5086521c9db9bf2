import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasTool } from './system-tools.ts';

// What poppler and qpdf say of a PDF. Tests that need them skip without them, and say so.

export const hasPoppler = hasTool('pdftotext', { version: '-v', reason: 'PDFs are not read back (poppler-utils)' });
export const hasQpdf = hasTool('qpdf', { reason: 'the structure of PDFs is not checked' });

/** Texts of the pages as they are laid out. */
export function pagesOfPdf(bytes: Buffer): string[] {
  return execFileSync('pdftotext', ['-layout', '-', '-'], { input: bytes, maxBuffer: 1 << 28 })
    .toString()
    .split('\f')
    .slice(0, -1);
}

/** Throws when qpdf finds a fault in the file's structure. */
export function checkPdf(bytes: Buffer): void {
  if (!hasQpdf) return;
  const folder = mkdtempSync(join(tmpdir(), 'partidas-pdf-'));
  try {
    const path = join(folder, 'checked.pdf');
    writeFileSync(path, bytes);
    const { status, stdout, stderr } = spawnSync('qpdf', ['--check', path]);
    if (status !== 0) throw new Error(`qpdf: ${stderr}${stdout}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolution and size of a cell in pixels: a cell is about 17 points wide and high. */
const DOTS_PER_INCH = 72;
const CELL = 17;
/** A cell of small text is about a tenth black; a level is a fiftieth, so that blurred edges change little. */
const LEVELS_OF_BLACK = 50;
const DARKEST = 9;

/** How dark each part of each page is, a digit a cell, blank where it is white: a picture that reads in a diff. */
export function shadesOfPdf(bytes: Buffer): string {
  const output = execFileSync('pdftoppm', ['-gray', '-r', String(DOTS_PER_INCH), '-'], {
    input: bytes,
    maxBuffer: 1 << 28,
  });
  const pages: string[] = [];
  for (let at = 0; at < output.length; ) {
    const [head = '', width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(output.toString('latin1', at, at + 40)) ?? [];
    const start = at + head.length;
    at = start + Number(width) * Number(height);
    pages.push(shadesOf(output.subarray(start, at), Number(width), Number(height)));
  }
  return `${pages.join('\n---\n')}\n`;
}

function shadesOf(pixels: Buffer, width: number, height: number): string {
  const lines: string[] = [];
  for (let top = 0; top < height; top += CELL) {
    let line = '';
    for (let left = 0; left < width; left += CELL) {
      const [right, bottom] = [Math.min(width, left + CELL), Math.min(height, top + CELL)];
      let black = 0;
      for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) black += 255 - pixels[y * width + x]!;
      const share = black / 255 / ((right - left) * (bottom - top));
      const level = Math.min(DARKEST, Math.round(share * LEVELS_OF_BLACK));
      line += level === 0 ? ' ' : String(level);
    }
    lines.push(line.trimEnd());
  }
  return lines.join('\n');
}

/** Places where one picture is darker or lighter than the other by more than renderers differ. */
export function unlikeShades(one: string, other: string): string[] {
  const [a, b] = [one.split('\n'), other.split('\n')];
  const places: string[] = [];
  for (let line = 0; line < Math.max(a.length, b.length); line++) {
    const [here = '', there = ''] = [a[line], b[line]];
    for (let column = 0; column < Math.max(here.length, there.length); column++) {
      const [p, q] = [Number(here[column] ?? 0), Number(there[column] ?? 0)];
      if (Math.abs(p - q) > 1) places.push(`line ${line + 1}, column ${column + 1}: ${p} and ${q}`);
    }
  }
  return places;
}
