/** The parts of a browser that sign-in needs: cookies by host, and redirects. */
export class Browser {
  private readonly cookies = new Map<string, Map<string, string>>();

  /** Requests a page without following redirects. */
  get(url: string): Promise<Response> {
    return this.send(url);
  }

  /** Sends JSON, as a script would. */
  post(url: string, body: object): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    return this.send(url, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** Submits a form. */
  postForm(url: string, fields: Record<string, string>): Promise<Response> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.send(url, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });
  }

  /** Returns the URL a page redirects to. */
  async step(url: string): Promise<string> {
    const response = await this.get(url);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url} responded with ${response.status}: ${await response.text()}`);
    return new URL(location, url).href;
  }

  /**
   * Follows redirects to the first URL that matches.
   *
   * @throws Error after 20 redirects, as browsers do
   */
  async follow(url: string, isReached: (url: string) => boolean): Promise<string> {
    let current = url;
    for (let step = 0; step < 20; step++) {
      current = await this.step(current);
      if (isReached(current)) return current;
    }
    throw new Error(`${url} redirected 20 times, last to ${current}.`);
  }

  cookie(url: string, name: string): string | undefined {
    return this.jarOf(url).get(name);
  }

  setCookie(url: string, name: string, value: string): void {
    this.jarOf(url).set(name, value);
  }

  private async send(url: string, init: { method?: string; headers?: object; body?: string } = {}): Promise<Response> {
    const jar = this.jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Browsers share cookies across ports, but a test's two servers use different names. */
  private jarOf(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    return jar;
  }
}
