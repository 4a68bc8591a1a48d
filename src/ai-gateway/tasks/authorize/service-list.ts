import type { ServiceDefinition } from '../../../config/service-config.js';

/** The service of requests that name none. */
export const defaultService = 'authorize';

/** The services behind reverse proxies, and the organizations whose keys may use them. */
export class ServiceList {
  /** Undefined organizations: all. */
  private readonly organizations: ReadonlyMap<string, ReadonlySet<string> | undefined>;

  constructor(services: readonly (string | ServiceDefinition)[]) {
    const definitions = services.map((service) => (typeof service === 'string' ? { name: service } : service));
    // A definition of the default service replaces the unrestricted one.
    this.organizations = new Map(
      [{ name: defaultService }, ...definitions].map(({ name, organizations }: ServiceDefinition) => [
        name,
        organizations && new Set(organizations),
      ]),
    );
  }

  has(service: string): boolean {
    return this.organizations.has(service);
  }

  /** Whether keys of the organization may use the service. */
  allows(service: string, organizationId: string): boolean {
    const organizations = this.organizations.get(service);
    return this.has(service) && (organizations === undefined || organizations.has(organizationId));
  }

  /** The services of an organization, in the order of the models file. */
  namesFor(organizationId: string): string[] {
    return [...this.organizations.keys()].filter((service) => this.allows(service, organizationId));
  }
}
