import type { EcdBooks } from './ecd-books.ts';
import type { Origin } from './ecd-file.ts';
import { type EcdLine, fileDay, type LineMaker, optionalDay } from './ecd-line.ts';

const LAYOUT = '9.00';
const NATURES = { G: 'DIÁRIO GERAL', B: 'BALANCETES DIÁRIOS E BALANÇOS' } as const;
/** NAT_LIVR. */
const NATURE_SIZE = 80;

export const companyOrigin = ({ request: { companyId, company } }: EcdBooks): Origin => ({
  ...{ resource: 'company', id: companyId, code: company, path: '/company' },
});

export const profileOrigin = ({ request: { company } }: EcdBooks): Origin => ({
  ...{ resource: 'regulatory_profile', code: company, path: `/regulatory/profile/${company}` },
});

export const optionsOrigin = ({ options }: Pick<EcdBooks, 'options'>): Origin => ({
  ...{ resource: 'company_options', id: options.id, code: options.branch, path: `/company/options/${options.id}` },
});

/** Registers 0000 and 0007: who the file is of. `referenceChart` is COD_PLAN_REF. */
export function headLines(books: EcdBooks, make: LineMaker, referenceChart: string): EcdLine[] {
  const { request, company, profile } = books;
  const { from, to, specialSituation, startSituation = '0', replacedHash } = request;
  const hasNire = company.nire !== null;
  const head = make.line(
    '0000',
    [
      ...[
        'LECD',
        fileDay(from),
        fileDay(to),
        company.name,
        company.cnpj,
        company.state,
        letters(company.stateRegistration),
      ],
      ...[company.ibgeCode, letters(company.municipalRegistration), specialSituation, startSituation, flag(hasNire)],
      ...[
        flag(replacedHash !== undefined),
        replacedHash?.toUpperCase(),
        flag(profile.audited),
        '0',
        '',
        'N',
        'N',
        '0',
        '0',
      ],
      referenceChart,
    ],
    companyOrigin(books),
  );
  const registrations = profile.registrations.length > 0 ? profile.registrations : [{ entity: '00', code: null }];
  return [
    head,
    make.line('0001', ['0']),
    ...registrations.map(({ entity, code }) => make.line('0007', [entity, code], profileOrigin(books))),
  ];
}

/** Letters and digits alone: points and dashes of a registration are not taken. */
function letters(text: string | null): string {
  return (text ?? '').replace(/[^\p{L}\p{N}]/gu, '');
}

const flag = (is: boolean) => (is ? '1' : '0');

export interface BookTerms {
  readonly orderNumber: number;
  readonly nature: string;
}

export function termsOf({ request, options }: EcdBooks): BookTerms {
  return {
    orderNumber: request.orderNumber ?? options.diaryBookNumber ?? 1,
    nature: (request.nature ?? NATURES[request.book]).slice(0, NATURE_SIZE),
  };
}

/** Registers I001 to I030: the book and its opening term. */
export function bookLines(books: EcdBooks, make: LineMaker, lines: number): EcdLine[] {
  const { request, company, fiscalYearEnd } = books;
  const { orderNumber, nature } = termsOf(books);
  return [
    make.line('I001', ['0']),
    make.line('I010', [request.book, LAYOUT]),
    make.line(
      'I030',
      [
        ...['TERMO DE ABERTURA', orderNumber, nature, lines, company.name, company.nire, company.cnpj],
        ...[optionalDay(company.nireDate), optionalDay(company.conversionDate), company.city, fileDay(fiscalYearEnd)],
      ],
      companyOrigin(books),
    ),
  ];
}
