/** What a field's value must be, and how it is read. */
export interface Rule<Value> {
  /** Completes the sentence "field must be …". */
  readonly allowed: string;
  /** The value, or undefined when it is not allowed. */
  readonly parse: (value: unknown) => Value | undefined;
}

/**
 * One mapping of the file, whose fields are read one after the other. What is wrong with them is collected, so that
 * the operator sees all of it at once; messages never show a value, which may be a secret in the wrong place.
 */
export class Section {
  private readonly read = new Set<string>();

  private constructor(
    private readonly values: ReadonlyMap<string, unknown>,
    private readonly path: string,
    private readonly mistakes: string[],
  ) {}

  /** @param path where it is in the file; empty for the file itself */
  static of(value: unknown, path: string, mistakes: string[]): Section | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return new Section(new Map(Object.entries(value)), path, mistakes);
    }
    mistakes.push(`${path === '' ? 'the file' : path} must be a mapping, such as "key: value"`);
    return undefined;
  }

  /** Whether the field is there; an empty one (`field:`) is not. */
  has(field: string): boolean {
    this.read.add(field);
    return (this.values.get(field) ?? null) !== null;
  }

  /** The field's value, or undefined once it has been noted that it is missing or wrong. */
  required<Value>(field: string, rule: Rule<Value>): Value | undefined {
    const value = this.has(field) ? rule.parse(this.values.get(field)) : undefined;
    if (value === undefined) this.refuse(field, `must be ${rule.allowed}`);
    return value;
  }

  /** The field's value, or `fallback` when it is not there. */
  optional<Value>(field: string, rule: Rule<Value>, fallback: Value): Value {
    return this.has(field) ? (this.required(field, rule) ?? fallback) : fallback;
  }

  /** The mapping in the field; an empty one when it is not there. */
  child(field: string): Section | undefined {
    return Section.of(this.has(field) ? this.values.get(field) : {}, this.pathOf(field), this.mistakes);
  }

  /** The mappings of the list in the field, which must have at least one. */
  children(field: string): Section[] {
    const values = this.has(field) ? this.values.get(field) : undefined;
    if (!Array.isArray(values) || values.length === 0) {
      this.refuse(field, 'must be a list with at least one item');
      return [];
    }
    return values.flatMap((value, index) => {
      return Section.of(value, `${this.pathOf(field)}[${index}]`, this.mistakes) ?? [];
    });
  }

  /** Notes what is wrong with a field. */
  refuse(field: string, reason: string): void {
    this.mistakes.push(`${this.pathOf(field)} ${reason}`);
  }

  /** Notes the fields that nobody has read. To be called last. */
  refuseOthers(): void {
    const known = [...this.read].join(', ');
    for (const field of this.values.keys()) {
      if (!this.read.has(field)) this.refuse(field, `is not known here; known are ${known}`);
    }
  }

  private pathOf(field: string): string {
    return this.path === '' ? field : `${this.path}.${field}`;
  }
}
