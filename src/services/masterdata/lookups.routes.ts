import { z } from 'zod';
import { lookUpCompany } from '../../features/master-data/lookups/look-up-company.ts';
import { lookUpAddress } from '../../features/master-data/lookups/look-up-postal-code.ts';
import { cnpj, exactNumber, moneyAnswer, zipCode } from '../../http/fields.ts';
import { route } from '../../http/route.ts';

const tag = 'Companies';
const shown = z.string().nullable();

export const getCompanyByCnpjRoute = route({
  operationId: 'lookUpCnpj',
  method: 'GET',
  path: '/companies/cnpj/{cnpj}',
  summary: 'What the public register says of a tax id',
  tag,
  access: { to: 'signedIn' },
  params: z.object({ cnpj }),
  answer: z.object({
    cnpj: z.string().meta({ example: '19131243000197' }),
    name: z.string(),
    tradeName: shown,
    status: shown,
    openingDate: shown.meta({ example: '2013-10-03' }),
    legalNature: shown,
    mainActivity: z.object({ code: shown, description: shown }).nullable(),
    capital: moneyAnswer.nullable(),
    street: shown,
    number: shown,
    complement: shown,
    district: shown,
    city: shown,
    state: shown,
    zipCode: shown,
    ibgeCode: shown,
    phone: shown,
    email: shown,
    source: z.string().meta({ example: 'brasilapi' }),
  }),
  handle: async ({ params, context, config }) => {
    const found = await lookUpCompany(context, config, params.cnpj);
    return { ...found, capital: found.capital === null ? null : exactNumber(found.capital) };
  },
});

export const getAddressByZipCodeRoute = route({
  operationId: 'lookUpZipCode',
  method: 'GET',
  path: '/companies/cep/{zipCode}',
  summary: 'The address of a postal code',
  tag,
  access: { to: 'signedIn' },
  params: z.object({ zipCode }),
  answer: z.object({
    zipCode: z.string().meta({ example: '01001000' }),
    street: shown,
    complement: shown,
    district: shown,
    city: shown,
    state: shown,
    ibgeCode: shown,
    source: z.string().meta({ example: 'viacep' }),
  }),
  handle: ({ params, context, config }) => lookUpAddress(context, config, params.zipCode),
});
