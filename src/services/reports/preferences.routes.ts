import { z } from 'zod';
import { readPreferences, savePreferences } from '../../features/reporting/preferences.ts';
import { id, text } from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { RouteResponse, route } from '../../http/route.ts';
import { REQUIRED } from '../../platform/schema-findings.ts';

const MAX_PREFERENCES = 65_536;

export const getPreferencesRoute = route({
  operationId: 'getPreferences',
  method: 'GET',
  path: '/preferencias',
  summary: 'Preferences of a user for a report',
  tag: 'Preferences',
  access: { to: 'anyUser' },
  fieldNames: { user: 'idUsuario' },
  query: z.strictObject({
    idUsuario: text(200, 1).meta({ example: 'admin' }),
    nomeRelatorio: text(200, 1).meta({ example: 'relatorioRazao' }),
  }),
  answer: z.string().meta({ example: '{}' }),
  handle: async ({ query, context }) =>
    jsonString(await readPreferences(context, query.idUsuario, query.nomeRelatorio)),
});

export const postPreferencesRoute = route({
  operationId: 'savePreferences',
  method: 'POST',
  path: '/preferencias',
  summary: 'Save the preferences of a user for a report',
  tag: 'Preferences',
  access: { to: 'anyUser' },
  fieldNames: { user: 'idUsuario' },
  body: z.strictObject({
    idUsuario: z.union([text(200, 1), id]).meta({ example: 'admin' }),
    nomeRelatorio: text(200, 1).meta({ example: 'relatorioRazao' }),
    preferencias: z.unknown().meta({ example: { level: 3 } }),
  }),
  answer: z.string().meta({ example: 'Preferências salvas' }),
  handle: async ({ body, context }) => {
    const preferences = jsonTextOf(body.preferencias);
    await savePreferences(context, String(body.idUsuario), body.nomeRelatorio, preferences);
    return jsonString('Preferências salvas');
  },
});

/** JSON that arrived as text is stored as text, so that it is returned as it was sent. */
function jsonTextOf(preferences: unknown): string {
  if (preferences === undefined) {
    rejectRequest('INVALID_FIELD', { reason: REQUIRED }, 'preferencias');
  }
  const asText = typeof preferences === 'string' && isJson(preferences) ? preferences : JSON.stringify(preferences);
  if (Buffer.byteLength(asText) > MAX_PREFERENCES) {
    rejectRequest(
      'INVALID_FIELD',
      {
        reason: { en: `must have at most ${MAX_PREFERENCES} bytes`, pt: `deve ter no máximo ${MAX_PREFERENCES} bytes` },
      },
      'preferencias',
    );
  }
  return asText;
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return !value.includes('\0');
  } catch {
    return false;
  }
}

/** A bare string as a JSON document; the server would send it as plain text. */
function jsonString(value: string): RouteResponse<string> {
  return new RouteResponse(200, JSON.stringify(value), { 'content-type': 'application/json; charset=utf-8' });
}
