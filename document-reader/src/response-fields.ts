/** Reads fields of the head of a worker's response and checks their types. Each method throws TypeError. */
export class ResponseFields {
  private readonly values: ReadonlyMap<string, unknown>;

  constructor(head: unknown) {
    this.values = new Map(Object.entries(typeof head === 'object' && head !== null ? head : {}));
  }

  get(name: string): unknown {
    return this.values.get(name);
  }

  text(name: string): string {
    const value = this.get(name);
    if (typeof value !== 'string') throw new TypeError(`${name} must be a string.`);
    return value;
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value {
    const value = values.find((known) => known === this.get(name));
    if (value === undefined) throw new TypeError(`${name} is unknown.`);
    return value;
  }

  /** Their number and length are limited, because they are part of the result. */
  languages(name: string, maxLanguages: number): string[] {
    const value = this.get(name);
    const items: unknown[] = Array.isArray(value) ? value : [undefined];
    const languages = items.filter((item) => typeof item === 'string' && /^\w{1,29}$/.test(item));
    if (languages.length < items.length || items.length > maxLanguages) {
      throw new TypeError(`${name} must be language codes.`);
    }
    return languages as string[];
  }

  flag(name: string): boolean {
    const value = this.get(name);
    if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false.`);
    return value;
  }

  count(name: string): number {
    const value = this.get(name);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw new TypeError(`${name} must be a non-negative integer.`);
    }
    return value;
  }
}
