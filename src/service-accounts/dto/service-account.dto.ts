import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { idProperty, timeProperty } from '../../common/http/api-resource.js';
import { nameLength } from '../../common/rules/text-rules.js';
import { HasCodePoints, IsId, IsName, OptionalField, Trimmed } from '../../common/validation/field-decorators.js';
import { GracePeriodField } from '../../common/validation/grace-period.js';
import { PageQueryDto, PagingDto } from '../../common/validation/paging.dto.js';
import { RoleReferenceDto } from '../../organizations/dto/role-reference.dto.js';

const nameProperty = {
  description: 'Name of the service account. It need not be unique. Leading and trailing spaces are trimmed.',
  example: 'Deploy pipeline',
  minLength: 2,
  maxLength: 100,
};

const clientIdProperty = { ...idProperty('service account'), description: '`client_id` for `POST /auth/token`.' };

export class ListServiceAccountsQueryDto extends PageQueryDto {
  @ApiPropertyOptional({
    description: 'Only service accounts whose name contains this text, case-insensitive.',
    minLength: 0,
    maxLength: nameLength.max,
  })
  @OptionalField()
  @HasCodePoints(0, nameLength.max)
  search?: string;
}

@ApiSchema({ name: 'CreateServiceAccount', description: 'New service account settings.' })
export class CreateServiceAccountDto {
  @ApiProperty(nameProperty)
  @Trimmed()
  @IsName()
  name: string;

  @ApiProperty(idProperty('role'))
  @IsId()
  roleId: string;
}

@ApiSchema({ name: 'UpdateServiceAccount', description: 'Service account settings to change.' })
export class UpdateServiceAccountDto {
  @ApiPropertyOptional(nameProperty)
  @OptionalField()
  @Trimmed()
  @IsName()
  name?: string;

  @ApiPropertyOptional(idProperty('new role'))
  @OptionalField()
  @IsId()
  roleId?: string;
}

@ApiSchema({ name: 'RotateClientSecret', description: 'Rotation settings.' })
export class RotateClientSecretDto {
  @GracePeriodField('client secret')
  gracePeriodSeconds: number;
}

@ApiSchema({ name: 'ClientCredentials', description: 'Credentials of a service account, for `POST /auth/token`.' })
export class ClientCredentialsDto {
  @ApiProperty(idProperty('service account'))
  id: string;

  @ApiProperty(clientIdProperty)
  clientId: string;

  @ApiProperty({
    description: '`client_secret` for `POST /auth/token`. Store it now: no other response contains it.',
    example: 'kcs_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAM',
    pattern: '^kcs_[0-9A-Za-z]{46}$',
  })
  clientSecret: string;
}

@ApiSchema({ name: 'ServiceAccount', description: "A program's access to the management API." })
export class ServiceAccountDto {
  @ApiProperty(idProperty('service account'))
  id: string;

  @ApiProperty(nameProperty)
  name: string;

  @ApiProperty(clientIdProperty)
  clientId: string;

  @ApiProperty({
    description: 'First characters of the client secret.',
    example: 'kcs_4fT9q',
    minLength: 9,
    maxLength: 9,
  })
  hint: string;

  /** Role of the service account. */
  role: RoleReferenceDto;

  @ApiProperty(timeProperty('When the service account was created'))
  createdAt: string;

  @ApiProperty(timeProperty('When the service account was last changed'))
  updatedAt: string;

  @ApiPropertyOptional(timeProperty('When it last got an access token; absent if it never did'))
  lastUsedAt?: string;

  @ApiPropertyOptional(timeProperty('When the previous client secret expires; absent if none is accepted'))
  previousSecretExpiresAt?: string;
}

@ApiSchema({ name: 'ServiceAccountList', description: 'A page of service accounts.' })
export class ServiceAccountListDto extends PagingDto {
  @ApiProperty({
    type: [ServiceAccountDto],
    description: 'Service accounts on this page, newest first.',
    maxItems: 100,
  })
  serviceAccounts: ServiceAccountDto[];
}
