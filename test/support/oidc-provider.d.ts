// The package has no types of its own; this is what the tests use of it.
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  // biome-ignore lint/style/noDefaultExport: the package's own form
  export default class Provider {
    constructor(
      issuer: string,
      configuration: {
        findAccount(context: unknown, id: string): { accountId: string; claims(): Record<string, unknown> };
        [setting: string]: unknown;
      },
    );
    callback(): RequestListener;
  }
}
