import { printedCrc } from '../../../accounting/crc.ts';
import type { TermSignatory } from './report-request.ts';

/** Who signs below statements and terms: the lines under each place, representatives first and accountants last. */
export function signatureBlock(signatories: readonly TermSignatory[]): string[][] {
  const rank = ({ legalResponsible, crc }: TermSignatory) => (legalResponsible ? 0 : crc ? 2 : 1);
  return signatories.toSorted((a, b) => rank(a) - rank(b)).map(linesOf);
}

function linesOf({ name, cpf, role, crc, ufCrc }: TermSignatory): string[] {
  return [
    name,
    role ?? '',
    cpf ? `CPF ${cpf.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')}` : '',
    crc ? printedCrc(crc, ufCrc || undefined) : '',
  ].filter((line) => line !== '');
}
