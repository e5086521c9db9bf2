/** A token and the instant, in milliseconds, from which it is not used any more. */
interface Token {
  readonly value: string;
  readonly until: number;
}

/** What a sign-in answers; the lifetime is in seconds. */
export interface SignedIn {
  readonly accessToken: string;
  readonly expiresIn: number;
}

/** Share of its life after which a token is renewed. */
const RENEWED_AFTER = 0.9;

/**
 * The access token of the client. There are no refresh tokens: to renew is to sign in again. However many requests
 * need a token at a time, one sign-in is under way; when it fails they all fail, and the next request tries again.
 */
export class Session {
  readonly #signIn: () => Promise<SignedIn>;
  #token: Token | undefined;
  #renewal: Promise<Token> | undefined;

  constructor(signIn: () => Promise<SignedIn>) {
    this.#signIn = signIn;
  }

  async token(): Promise<string> {
    const token = this.#token;
    if (token !== undefined && Date.now() < token.until) return token.value;
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    return (await this.#renewal).value;
  }

  /** The token was refused; the one that another request has got meanwhile stays. */
  forget(refused: string): void {
    if (this.#token?.value === refused) this.#token = undefined;
  }

  async #renew(): Promise<Token> {
    const asked = Date.now();
    const { accessToken, expiresIn } = await this.#signIn();
    this.#token = { value: accessToken, until: asked + expiresIn * 1_000 * RENEWED_AFTER };
    return this.#token;
  }
}
