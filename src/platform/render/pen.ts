import type { Typeface } from './typeface.ts';

export const INK = '0.13 0.14 0.16';
export const GREY = '0.42 0.44 0.48';
/** Of curves. */
export const ACCENT = '0.11 0.33 0.55';
export const RULE = '0.78 0.79 0.82';
export const ZEBRA = '0.965 0.968 0.975';

/**
 * Writes the operators of one page or form. Places are in points from the top left, as pdfkit turns its pages; the
 * text matrix turns the letters back.
 */
export class Pen {
  private operators: string[] = [];
  private ink = '';
  private font = '';
  private scale = 100;

  /** Everything written so far; what follows begins anew, without ink or font. */
  take(): string {
    const text = this.operators.join('\n');
    this.operators = [];
    this.ink = '';
    this.font = '';
    this.scale = 100;
    return text;
  }

  text(face: Typeface, size: number, x: number, y: number, text: string, ink = INK, scale = 100): void {
    if (text === '') return;
    this.operators.push(
      `${this.state(face, size, ink, scale)}BT 1 0 0 -1 ${formatFixed(x)} ${formatFixed(y)} Tm <${face.encode(text, size)}> Tj ET`,
    );
  }

  textRight(face: Typeface, size: number, right: number, y: number, text: string, ink = INK, scale = 100): void {
    this.text(face, size, right - (face.width(text, size) * scale) / 100, y, text, ink, scale);
  }

  rule(left: number, right: number, y: number, ink = RULE, width = 0.4): void {
    this.operators.push(
      `${ink} RG ${width} w ${formatFixed(left)} ${formatFixed(y)} m ${formatFixed(right)} ${formatFixed(y)} l S`,
    );
  }

  /** A line through these places. */
  curve(places: readonly (readonly [x: number, y: number])[], ink: string, width = 1.1): void {
    const path = places.map(([x, y], at) => `${formatFixed(x)} ${formatFixed(y)} ${at === 0 ? 'm' : 'l'}`).join(' ');
    this.operators.push(`q ${ink} RG ${width} w 1 j 1 J ${path} S Q`);
  }

  box(x: number, y: number, width: number, height: number, ink: string): void {
    this.operators.push(
      `${ink} rg ${formatFixed(x)} ${formatFixed(y)} ${formatFixed(width)} ${formatFixed(height)} re f`,
    );
    this.ink = ink;
  }

  /** Shows a form of the page's resources, moved to the place. */
  form(name: string, x = 0, y = 0): void {
    const moved = x === 0 && y === 0 ? '' : `1 0 0 1 ${formatFixed(x)} ${formatFixed(y)} cm `;
    this.operators.push(`q ${moved}/${name} Do Q`);
  }

  /** Operators for what is not yet as asked: colour and font stay from one text to the next. */
  private state(face: Typeface, size: number, ink: string, scale: number): string {
    let text = '';
    if (this.ink !== ink) text += `${ink} rg `;
    const font = `/${face.id} ${size} Tf `;
    if (this.font !== font) text += font;
    if (this.scale !== scale) text += `${scale} Tz `;
    this.ink = ink;
    this.font = font;
    this.scale = scale;
    return text;
  }
}

/** At most two decimals. */
function formatFixed(value: number): string {
  return String(Math.round(value * 100) / 100);
}
