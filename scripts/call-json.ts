/** Sends JSON or a form to a running program and reads its JSON; throws the response when it is no success. */
export async function callJson<Answer>(
  address: string,
  method: string,
  { token, body }: { readonly token?: string | undefined; readonly body?: unknown } = {},
): Promise<Answer> {
  const isForm = body instanceof FormData;
  const response = await fetch(address, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as Answer;
}
