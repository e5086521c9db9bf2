import { reject } from '../../../../accounting/problem.ts';
import { recordRef } from '../../../../accounting/record-name.ts';
import type { Sql } from '../../../../platform/database/sql.ts';
import type { CompanyOptionsRow, Signatory } from '../../../master-data/companies/company-options.read.sql.ts';
import { selectOptions } from '../../../master-data/companies/company-options.read.sql.ts';
import { officialCodes } from '../../../master-data/regulatory/official-codes.ts';
import type { EcdBooks } from './ecd-books.ts';
import { type EcdLine, fileDay, type LineMaker, optionalDay } from './ecd-line.ts';
import { companyOrigin, optionsOrigin, profileOrigin, termsOf } from './head.ts';

const COMPANY = '001';
const EMAIL_SIZE = 60;
const PHONE_SIZE = 14;

/** The options of the branch whose signatories sign. */
export async function signingOptions(
  sql: Sql,
  { request, institution, options }: EcdBooks,
): Promise<CompanyOptionsRow> {
  const { companyId, signingBranch } = request;
  if (signingBranch === undefined) return options;
  const member = institution.members.find(({ branch }) => branch === signingBranch);
  const found = member && (await selectOptions(sql, companyId, member.branchId));
  return found ?? reject('NOT_FOUND', recordRef('Branch', signingBranch));
}

/** Registers J930 and J935: who signs, and who audits. */
export async function signatoryLines(books: EcdBooks, make: LineMaker, options: CompanyOptionsRow): Promise<EcdLine[]> {
  const names = new Map((await officialCodes('COD_ASSIN')).map(({ code, description }) => [code, description]));
  const { auditor } = books.profile;
  const signers = options.signatories.map((signatory) =>
    make.line('J930', fieldsOf(signatory, names), optionsOrigin({ options })),
  );
  if (auditor === null) return signers;
  return [...signers, make.line('J935', [auditor.document, auditor.name, auditor.cvmCode], profileOrigin(books))];
}

function fieldsOf(signatory: Signatory, names: ReadonlyMap<string, string>): (string | null | undefined)[] {
  const {
    name,
    cpf,
    cnpj,
    role,
    qualification = '',
    crc,
    ufCrc,
    email,
    phone = '',
    crcCertificate,
    crcValidTo,
  } = signatory;
  // A company signs without the numbers of an accountant.
  const council = qualification === COMPANY ? ['', '', ''] : [ufCrc, crcCertificate, optionalDay(crcValidTo)];
  return [
    ...[name, cnpj ?? cpf, names.get(qualification) ?? role, qualification, qualification === COMPANY ? '' : crc],
    ...[email?.slice(0, EMAIL_SIZE), phone.length > PHONE_SIZE ? phone.replace(/\D/g, '').slice(0, PHONE_SIZE) : phone],
    ...[...council, signatory.legalResponsible === true ? 'S' : 'N'],
  ];
}

/** Register J900: the closing term. */
export function closingTerm(books: EcdBooks, make: LineMaker, lines: number): EcdLine {
  const { request, company } = books;
  const { orderNumber, nature } = termsOf(books);
  return make.line(
    'J900',
    ['TERMO DE ENCERRAMENTO', orderNumber, nature, company.name, lines, fileDay(request.from), fileDay(request.to)],
    companyOrigin(books),
  );
}
