import { Injectable, type OnApplicationBootstrap, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { type Access, accessMetadata } from './declare-access.js';

/** A route and its declared access. */
export interface RouteAccess {
  /** For example, `POST /api-keys`. */
  route: string;
  access: Access | undefined;
  /** The controller method, for reading other metadata. */
  handler: object;
}

/** A provider that registers routes on Fastify itself. */
export interface RouteRegistrar {
  declaredRoutes(): RouteAccess[];
}

/** Marks a `RouteRegistrar`, so the access of its routes is checked too. */
export const RegistersRoutes = DiscoveryService.createDecorator();

/** Stops the application from starting if a route doesn't declare its access. */
@Injectable()
export class AccessCheckService implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onApplicationBootstrap(): void {
    const undeclared = this.routes().filter(({ access }) => access === undefined);
    if (undeclared.length === 0) return;
    const names = undeclared.map(({ route }) => route).join(', ');
    throw new Error(
      `Declare the access of ${names} with @RequirePermission('…'), @SignedIn(), @RequireApiKey() or @Public().`,
    );
  }

  /** All routes of controllers and route registrars. */
  routes(): RouteAccess[] {
    const registrars = this.discovery.getProviders({ metadataKey: RegistersRoutes.KEY });
    const registered = registrars.flatMap(({ instance }) => (instance as RouteRegistrar).declaredRoutes());
    return [...this.controllerRoutes(), ...registered];
  }

  private controllerRoutes(): RouteAccess[] {
    return this.discovery.getControllers().flatMap(({ metatype, instance }) => {
      const prototype: unknown = metatype?.prototype ?? Object.getPrototypeOf(instance);
      if (typeof prototype !== 'object' || prototype === null || metatype === null) return [];
      const controllerPath = Reflect.getMetadata(PATH_METADATA, metatype) as string;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler: unknown = Reflect.get(prototype, name);
        return typeof handler === 'function' ? describeRoute(controllerPath, handler) : [];
      });
    });
  }
}

function describeRoute(controllerPath: string, handler: object): RouteAccess[] {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  if (method === undefined) return [];
  const handlerPath = Reflect.getMetadata(PATH_METADATA, handler) as string;
  const path = [controllerPath, handlerPath]
    .map((part) => part.replace(/^\/+|\/+$/g, ''))
    .filter((part) => part !== '')
    .join('/');
  return [
    {
      route: `${RequestMethod[method]} /${path}`,
      access: Reflect.getMetadata(accessMetadata, handler) as Access | undefined,
      handler,
    },
  ];
}
