/**
 * Works on items together: while it works, what comes in gathers and goes next as one. The first of a quiet time goes
 * with what arrived in the same turn of the event loop, and under load as many go together as came meanwhile.
 */
export class Gathering<Item, Result> {
  private readonly work: (items: readonly Item[]) => Promise<readonly Result[]>;
  private readonly most: number;
  private readonly whenQuiet: () => void;
  private waiting: Waiting<Item, Result>[] = [];
  private isBusy = false;

  /** `work` answers each item at its place; what it throws is the answer to all. `whenQuiet`: nothing is left to do. */
  constructor(
    work: (items: readonly Item[]) => Promise<readonly Result[]>,
    { most, whenQuiet }: { most: number; whenQuiet: () => void },
  ) {
    this.work = work;
    this.most = most;
    this.whenQuiet = whenQuiet;
  }

  add(item: Item): Promise<Result> {
    const answer = new Promise<Result>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
    });
    if (!this.isBusy) {
      this.isBusy = true;
      setImmediate(() => void this.workOff());
    }
    return answer;
  }

  private async workOff(): Promise<void> {
    while (this.waiting.length > 0) {
      const answer = await this.workOn(this.waiting.splice(0, this.most));
      // The next go out first: whoever works on them does so while these are answered.
      if (this.waiting.length > 0) setImmediate(answer);
      else answer();
    }
    this.isBusy = false;
    this.whenQuiet();
  }

  /** Returns what hands the results out. */
  private async workOn(together: readonly Waiting<Item, Result>[]): Promise<() => void> {
    try {
      const results = await this.work(together.map(({ item }) => item));
      return () => {
        for (const [at, { resolve }] of together.entries()) resolve(results[at]!);
      };
    } catch (error) {
      return () => {
        for (const { reject } of together) reject(error);
      };
    }
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}
