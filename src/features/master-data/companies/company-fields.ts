import { defaulted, optional, required } from '../records/fields.ts';

export const ADDRESS_FIELDS = {
  street: optional.text(200, { example: 'Praça da Sé', csv: ['logradouro'] }),
  number: optional.text(20, { example: '1', csv: ['numero'] }),
  complement: optional.text(200, { example: 'lado ímpar', csv: ['complemento'] }),
  district: optional.text(200, { example: 'Sé', csv: ['bairro'] }),
  city: optional.text(200, { example: 'São Paulo', csv: ['municipio', 'cidade'] }),
  state: optional.text(2, {
    example: 'SP',
    csv: ['uf'],
    pattern: { form: /^[A-Z]{2}$/, reason: 'NO_STATE' },
  }),
  ibgeCode: optional.text(7, {
    example: '3550308',
    csv: ['ibge'],
    pattern: { form: /^\d{7}$/, reason: 'NO_IBGE_CODE' },
  }),
} as const;

/** Numbers by which states and municipalities know a company or a branch: register 0000 of the bookkeeping file (ECD). */
const REGISTRATION_FIELDS = {
  stateRegistration: optional.text(20, { example: '110042490114', csv: ['inscricaoEstadual'] }),
  municipalRegistration: optional.text(20, { example: '12345678', csv: ['inscricaoMunicipal'] }),
} as const;

/** Without its code. */
export const COMPANY_FIELDS = {
  name: required.name(200, { example: 'Banco Exemplo S.A.', csv: ['nome', 'razaoSocial'] }),
  cnpj: required.cnpj({ example: '11222333000181', csv: [] }),
  zipCode: required.zipCode({ example: '01001000', csv: ['cep'] }),
  tradeName: optional.text(200, { example: 'Banco Exemplo', csv: ['nomeFantasia'] }),
  ...ADDRESS_FIELDS,
  phone: optional.text(40, { example: '1130000000', csv: ['telefone'] }),
  email: optional.text(200, { example: 'contato@exemplo.com.br', csv: [] }),
  nire: optional.text(20, { example: '35300000000', csv: [] }),
  nireDate: optional.day({ example: '2026-01-31', csv: ['dataNire'] }),
  ...REGISTRATION_FIELDS,
  /** Since when it is registered as a company, where it was another kind of society before: DT_ARQ_CONV of the ECD. */
  conversionDate: optional.day({ example: null, csv: ['dataConversao'] }),
  institutionType: optional.oneOf(['BANCO', 'DTVM', 'CTVM', 'FUNDO', 'COOPERATIVA', 'CONSORCIO', 'OUTRA'], {
    csv: ['tipoInstituicao'],
  }),
  active: defaulted.flag({ example: true }),
} as const;

/** Without its code. */
export const BRANCH_FIELDS = {
  name: required.name(200, { example: 'Matriz' }),
  cnpj: optional.cnpj({ example: '11222333000181' }),
  headOffice: defaulted.flag({ example: true }),
  zipCode: optional.zipCode({ example: '01001000' }),
  ...ADDRESS_FIELDS,
  nire: optional.text(20, { example: '35300000000' }),
  nireDate: optional.day({ example: '2026-01-31' }),
  ...REGISTRATION_FIELDS,
  active: defaulted.flag({ example: true }),
} as const;
