BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0004');
CREATE TABLE conversation_items (
	workspace_id INTEGER NOT NULL, 
	conversation_id VARCHAR(36) NOT NULL, 
	ordinal INTEGER NOT NULL, 
	digest BLOB NOT NULL, said INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (workspace_id, conversation_id, ordinal)
);
INSERT INTO "conversation_items" VALUES(1,'ffac0588-43d7-4301-ba88-d5242cad5bcf',0,X'C282BAABC08002C4286BC397BD4D5CA1',1);
INSERT INTO "conversation_items" VALUES(1,'ffac0588-43d7-4301-ba88-d5242cad5bcf',1,X'AE98F2EFB74AE0A2BD1CFCC4E4CC251E',1);
INSERT INTO "conversation_items" VALUES(1,'ffac0588-43d7-4301-ba88-d5242cad5bcf',2,X'7D5A929481642652099F690DDED1D8C8',1);
INSERT INTO "conversation_items" VALUES(1,'0c409433-22b2-4abe-9567-50c2a83272ea',0,X'4D4646F462546737E39629D7970CFCD7',2);
INSERT INTO "conversation_items" VALUES(1,'0c409433-22b2-4abe-9567-50c2a83272ea',1,X'42BAF41E3E8C2EC028CD615FF0DF9034',2);
INSERT INTO "conversation_items" VALUES(1,'0c409433-22b2-4abe-9567-50c2a83272ea',2,X'E94A0098654089F1F4C1B276DA72820A',2);
INSERT INTO "conversation_items" VALUES(2,'9f054f0e-0d9d-41b3-8b7b-3eba7fd7b4c5',0,X'7795231D0FFE08E652E508674B56FB55',1);
INSERT INTO "conversation_items" VALUES(2,'9f054f0e-0d9d-41b3-8b7b-3eba7fd7b4c5',1,X'559546A452786E3C8FF0C6D6073F694F',1);
INSERT INTO "conversation_items" VALUES(2,'9f054f0e-0d9d-41b3-8b7b-3eba7fd7b4c5',2,X'EE169499373FA01CE51855BCAC3B5A1F',1);
CREATE TABLE conversations (
	workspace_id INTEGER NOT NULL, 
	id VARCHAR(36) NOT NULL, 
	items INTEGER NOT NULL, 
	last_episode VARCHAR(36), 
	turn_digest BLOB, 
	turn_flags TEXT NOT NULL, 
	next_flags TEXT NOT NULL, used INTEGER DEFAULT '0' NOT NULL, used_at VARCHAR(24) DEFAULT '2026-11-24T22:24:31.062Z' NOT NULL, left_out TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (workspace_id, id), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
);
INSERT INTO "conversations" VALUES(1,'ffac0588-43d7-4301-ba88-d5242cad5bcf',3,'bee692b1-7de0-47ba-b698-b5fcb74167cc',X'C282BAABC08002C4286BC397BD4D5CA10001','[]','[]',1,'2026-11-24T22:24:42.002Z','');
INSERT INTO "conversations" VALUES(1,'0c409433-22b2-4abe-9567-50c2a83272ea',3,'35bebf63-c0ff-4bfa-b981-95538a4ab6bf',X'4D4646F462546737E39629D7970CFCD70001','[]','[]',2,'2026-11-24T22:24:42.096Z','');
INSERT INTO "conversations" VALUES(2,'9f054f0e-0d9d-41b3-8b7b-3eba7fd7b4c5',3,'d4e04845-2ec2-4ab6-9d69-d6fcb4cebe01',X'7795231D0FFE08E652E508674B56FB550001','[]','[]',1,'2026-11-24T22:24:43.745Z','');
CREATE TABLE event_paths (
	workspace_id INTEGER NOT NULL, 
	path TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	PRIMARY KEY (workspace_id, path, seq), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
)
 WITHOUT ROWID

;
INSERT INTO "event_paths" VALUES(1,'geo.py',2);
INSERT INTO "event_paths" VALUES(1,'geo.py',4);
INSERT INTO "event_paths" VALUES(2,'api.py',2);
CREATE TABLE events (
	workspace_id INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	episode_id VARCHAR(36), 
	at VARCHAR(24) NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	body TEXT NOT NULL, 
	prev_hash VARCHAR(64) NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	PRIMARY KEY (workspace_id, seq), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
);
INSERT INTO "events" VALUES(1,1,NULL,'2026-11-24T22:24:42.002Z','workspace.opened','{"name":"w","tenant":"local"}','0000000000000000000000000000000000000000000000000000000000000000','43e90b532605d20ba1d24e57260c73edcbb44ef2e1017491391e9f8e53ddd607');
INSERT INTO "events" VALUES(1,2,'bee692b1-7de0-47ba-b698-b5fcb74167cc','2026-11-24T22:24:42.003Z','evidence.judged','{"carrier":"fence","grant":"structural-parity","moves":[{"artifact":"f93267980cb4d3cd014f30cd31f3c0625de156f15f11b1868dd3064a871020a1","confidence":"CONFIRMED","entity":"geo.py","op":"promote","reason":"structural-parity","source":"AST"},{"artifact":"85d8f2103baa69f3b550913f97721000b8e4b95b5fe5b1b9ca2fe1bdb96b5620","confidence":"CONFIRMED","entity":"geo.py::area_of","op":"promote","reason":"structural-parity","source":"AST"},{"artifact":"9ce24015ab7dd331a5ce93f65b0f57e920aafc6fa44a5c7a17e7920bc3687cd2","confidence":"CONFIRMED","entity":"geo.py::edge_of","op":"promote","reason":"structural-parity","source":"AST"}],"origin":"model","path":"geo.py"}','43e90b532605d20ba1d24e57260c73edcbb44ef2e1017491391e9f8e53ddd607','9fc1686deab9d57fd1c3c276089b89b836d0b59c3d70d8d6abcfaff08199b787');
INSERT INTO "events" VALUES(1,3,'bee692b1-7de0-47ba-b698-b5fcb74167cc','2026-11-24T22:24:42.003Z','episode.recorded','{"answer":"eb8e2da6185fb46d3d5d26d809880f7e536b32a41621468a8042317ddc866f94","call_type":"acompletion","complete":true,"conversation":"ffac0588-43d7-4301-ba88-d5242cad5bcf","finish":"stop","hydrated":[],"model":"openai","notices":0,"place":[0,1,3,-1],"prompt":"4b83bc71874377b38fbbc30df5723d632c67a9204f3eb092100d9d6ba71a042c","side":false,"started_at":"2026-11-24T22:24:39.764Z"}','9fc1686deab9d57fd1c3c276089b89b836d0b59c3d70d8d6abcfaff08199b787','0226832f30608f1eec411f837bf2c013a4bf7fdb97bc79fc82e36b6faf4e8719');
INSERT INTO "events" VALUES(1,4,'35bebf63-c0ff-4bfa-b981-95538a4ab6bf','2026-11-24T22:24:42.096Z','evidence.judged','{"carrier":"fence","grant":"structural-parity","moves":[{"artifact":"260e8f0a49d72bcca7c22b142426cf0907802f4fc04a877522f1cb59bbb6bed4","confidence":"CONFIRMED","entity":"geo.py","op":"promote","reason":"structural-parity","replaces":"f93267980cb4d3cd014f30cd31f3c0625de156f15f11b1868dd3064a871020a1","source":"AST"},{"artifact":"2f1078130d25bfe5d017abb26921b6f70966c1ec36aa39607e28b93b1472d479","confidence":"CONFIRMED","entity":"geo.py::area_of","op":"promote","reason":"structural-parity","replaces":"85d8f2103baa69f3b550913f97721000b8e4b95b5fe5b1b9ca2fe1bdb96b5620","source":"AST"},{"artifact":"849333c3c9c33d6736731f042bf97e08424b5659a133fffb69758c62b3439f71","confidence":"CONFIRMED","entity":"geo.py::edge_of","op":"promote","reason":"structural-parity","replaces":"9ce24015ab7dd331a5ce93f65b0f57e920aafc6fa44a5c7a17e7920bc3687cd2","source":"AST"}],"origin":"model","path":"geo.py"}','0226832f30608f1eec411f837bf2c013a4bf7fdb97bc79fc82e36b6faf4e8719','63874e5079f3a489c5656cd725782d75e1814a346ed92415c291c38a36b7f34c');
INSERT INTO "events" VALUES(1,5,'35bebf63-c0ff-4bfa-b981-95538a4ab6bf','2026-11-24T22:24:42.096Z','episode.recorded','{"answer":"35e0303a52bc5f4eec95323b6f0165a61d797d5066c3f60aaa579cedd338a3db","call_type":"acompletion","complete":true,"conversation":"0c409433-22b2-4abe-9567-50c2a83272ea","finish":"stop","hydrated":["geo.py"],"injected":96,"model":"openai","notices":0,"place":[0,1,3,-1],"prompt":"06733dd8e585bc1a7efa6c48db70cc63bc0f5a5ae66c08c54d22917f209a8e16","side":false,"started_at":"2026-11-24T22:24:42.010Z"}','63874e5079f3a489c5656cd725782d75e1814a346ed92415c291c38a36b7f34c','6b61c33e8ab4711462ceda7aac71a14498a1d316db74eb45e6e55ff2c77490dc');
INSERT INTO "events" VALUES(2,1,NULL,'2026-11-24T22:24:43.745Z','workspace.opened','{"name":"other","tenant":"local"}','0000000000000000000000000000000000000000000000000000000000000000','cd2b77a08e72cbd151c3bd40f73af1f52eca48ab586802879d5ff07f84805ab5');
INSERT INTO "events" VALUES(2,2,'d4e04845-2ec2-4ab6-9d69-d6fcb4cebe01','2026-11-24T22:24:43.745Z','evidence.judged','{"carrier":"fence","grant":"structural-parity","moves":[{"artifact":"345a09077e88e5b84f401d3d3e82aee36008984b51eab4f049c08e4362539d3c","confidence":"CONFIRMED","entity":"api.py","op":"promote","reason":"structural-parity","source":"AST"},{"artifact":"fefb58f29b1a4e8a9ffa6f47428ce93ca06414c72d0277c3aaec0c7329d7aec4","confidence":"CONFIRMED","entity":"api.py::hello","op":"promote","reason":"structural-parity","source":"AST"}],"origin":"model","path":"api.py"}','cd2b77a08e72cbd151c3bd40f73af1f52eca48ab586802879d5ff07f84805ab5','cd5d9c68db304fb212b302e3642718e5707822f030018d51bcca1c85b0ce322e');
INSERT INTO "events" VALUES(2,3,'d4e04845-2ec2-4ab6-9d69-d6fcb4cebe01','2026-11-24T22:24:43.745Z','episode.recorded','{"answer":"140e9e093ac4051b29540e444f40efa18402246d659d8549baa0a49a35ab3c2f","call_type":"acompletion","complete":true,"conversation":"9f054f0e-0d9d-41b3-8b7b-3eba7fd7b4c5","finish":"stop","hydrated":[],"model":"openai","notices":0,"place":[0,1,3,-1],"prompt":"a5c7c4c7cff322e65e81312d524acca2e4d980a54568a039c234d0ca5742e872","side":false,"started_at":"2026-11-24T22:24:42.108Z"}','cd5d9c68db304fb212b302e3642718e5707822f030018d51bcca1c85b0ce322e','d16e222e72207c9aef293c65e48b0462b963ade95be62016d78db7004bc77082');
CREATE TABLE parser_refusals (
	artifact VARCHAR(64) NOT NULL, 
	language VARCHAR(64) NOT NULL, 
	reason VARCHAR(16) NOT NULL, 
	refused_at VARCHAR(24) NOT NULL, 
	PRIMARY KEY (artifact, language)
);
CREATE TABLE state_map (
	workspace_id INTEGER NOT NULL, 
	entity TEXT NOT NULL, 
	path TEXT NOT NULL, 
	basename TEXT NOT NULL, 
	symbol TEXT, 
	leaf TEXT, 
	artifact VARCHAR(64) NOT NULL, 
	freshness VARCHAR(8) NOT NULL, 
	source VARCHAR(8) NOT NULL, 
	updated_at VARCHAR(24) NOT NULL, 
	PRIMARY KEY (workspace_id, entity), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
);
INSERT INTO "state_map" VALUES(1,'geo.py','geo.py','geo.py',NULL,NULL,'260e8f0a49d72bcca7c22b142426cf0907802f4fc04a877522f1cb59bbb6bed4','CLEAN','AST','2026-11-24T22:24:42.096Z');
INSERT INTO "state_map" VALUES(1,'geo.py::area_of','geo.py','geo.py','area_of','area_of','2f1078130d25bfe5d017abb26921b6f70966c1ec36aa39607e28b93b1472d479','CLEAN','AST','2026-11-24T22:24:42.096Z');
INSERT INTO "state_map" VALUES(1,'geo.py::edge_of','geo.py','geo.py','edge_of','edge_of','849333c3c9c33d6736731f042bf97e08424b5659a133fffb69758c62b3439f71','CLEAN','AST','2026-11-24T22:24:42.096Z');
INSERT INTO "state_map" VALUES(2,'api.py','api.py','api.py',NULL,NULL,'345a09077e88e5b84f401d3d3e82aee36008984b51eab4f049c08e4362539d3c','CLEAN','AST','2026-11-24T22:24:43.745Z');
INSERT INTO "state_map" VALUES(2,'api.py::hello','api.py','api.py','hello','hello','fefb58f29b1a4e8a9ffa6f47428ce93ca06414c72d0277c3aaec0c7329d7aec4','CLEAN','AST','2026-11-24T22:24:43.745Z');
CREATE TABLE tombstones (
	workspace_id INTEGER NOT NULL, 
	entity TEXT NOT NULL, 
	artifact VARCHAR(64) NOT NULL, 
	since VARCHAR(24) NOT NULL, 
	episode INTEGER NOT NULL, 
	PRIMARY KEY (workspace_id, entity), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
);
CREATE TABLE vault (
	hash VARCHAR(64) NOT NULL, 
	encoding VARCHAR(8) NOT NULL, 
	body BLOB NOT NULL, 
	crc BIGINT NOT NULL, 
	PRIMARY KEY (hash)
);
INSERT INTO "vault" VALUES('f93267980cb4d3cd014f30cd31f3c0625de156f15f11b1868dd3064a871020a1','utf-8',X'696D706F7274206D6174680A0A0A64656620617265615F6F662872293A0A2020202072657475726E206D6174682E7069202A2072202A2072202B20310A0A0A64656620656467655F6F662872293A0A2020202072657475726E2072202B20310A',154651668);
INSERT INTO "vault" VALUES('85d8f2103baa69f3b550913f97721000b8e4b95b5fe5b1b9ca2fe1bdb96b5620','slice',X'663933323637393830636234643363643031346633306364333166336330363235646531353666313566313162313836386464333036346138373130323061313A31343A3630',1242605511);
INSERT INTO "vault" VALUES('9ce24015ab7dd331a5ce93f65b0f57e920aafc6fa44a5c7a17e7920bc3687cd2','slice',X'663933323637393830636234643363643031346633306364333166336330363235646531353666313566313162313836386464333036346138373130323061313A36333A3935',2450893614);
INSERT INTO "vault" VALUES('4b83bc71874377b38fbbc30df5723d632c67a9204f3eb092100d9d6ba71a042c','utf-8',X'412066697273742067656F2E70792C20706C656173652E',3421494099);
INSERT INTO "vault" VALUES('260e8f0a49d72bcca7c22b142426cf0907802f4fc04a877522f1cb59bbb6bed4','utf-8',X'696D706F7274206D6174680A0A0A64656620617265615F6F662872293A0A2020202072657475726E206D6174682E7069202A2072202A2072202B20320A0A0A64656620656467655F6F662872293A0A2020202072657475726E2072202B20320A',2021367991);
INSERT INTO "vault" VALUES('2f1078130d25bfe5d017abb26921b6f70966c1ec36aa39607e28b93b1472d479','slice',X'323630653866306134396437326263636137633232623134323432366366303930373830326634666330346138373735323266316362353962626236626564343A31343A3630',695123495);
INSERT INTO "vault" VALUES('849333c3c9c33d6736731f042bf97e08424b5659a133fffb69758c62b3439f71','slice',X'323630653866306134396437326263636137633232623134323432366366303930373830326634666330346138373735323266316362353962626236626564343A36333A3935',4050367182);
INSERT INTO "vault" VALUES('06733dd8e585bc1a7efa6c48db70cc63bc0f5a5ae66c08c54d22917f209a8e16','utf-8',X'416E642061207365636F6E642067656F2E70792C20706C656173652E',1490548573);
INSERT INTO "vault" VALUES('345a09077e88e5b84f401d3d3e82aee36008984b51eab4f049c08e4362539d3c','utf-8',X'6465662068656C6C6F28293A0A2020202072657475726E20310A',2563311658);
INSERT INTO "vault" VALUES('fefb58f29b1a4e8a9ffa6f47428ce93ca06414c72d0277c3aaec0c7329d7aec4','slice',X'333435613039303737653838653562383466343031643364336538326165653336303038393834623531656162346630343963303865343336323533396433633A303A3235',67113814);
INSERT INTO "vault" VALUES('a5c7c4c7cff322e65e81312d524acca2e4d980a54568a039c234d0ca5742e872','utf-8',X'49206E656564206170692E7079',158146455);
CREATE TABLE workspaces (
	id INTEGER NOT NULL, 
	tenant VARCHAR(255) NOT NULL, 
	name TEXT NOT NULL, 
	head_seq INTEGER NOT NULL, 
	head_hash VARCHAR(64) NOT NULL, 
	episodes INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT uq_workspaces_tenant_name UNIQUE (tenant, name)
);
INSERT INTO "workspaces" VALUES(1,'local','w',5,'6b61c33e8ab4711462ceda7aac71a14498a1d316db74eb45e6e55ff2c77490dc',2);
INSERT INTO "workspaces" VALUES(2,'local','other',3,'d16e222e72207c9aef293c65e48b0462b963ade95be62016d78db7004bc77082',1);
CREATE INDEX ix_events_episode ON events (workspace_id, episode_id);
CREATE INDEX ix_events_kind ON events (workspace_id, kind, seq);
CREATE INDEX ix_state_map_path ON state_map (workspace_id, path);
CREATE INDEX ix_state_map_basename ON state_map (workspace_id, basename);
CREATE TRIGGER vault_no_update BEFORE UPDATE ON vault BEGIN SELECT RAISE(ABORT, 'vault is append-only'); END;
CREATE TRIGGER vault_no_delete BEFORE DELETE ON vault BEGIN SELECT RAISE(ABORT, 'vault is append-only'); END;
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER vault_no_replace BEFORE INSERT ON vault WHEN EXISTS (SELECT 1 FROM vault WHERE hash = NEW.hash) BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER events_no_replace BEFORE INSERT ON events WHEN EXISTS (SELECT 1 FROM events WHERE workspace_id = NEW.workspace_id AND seq = NEW.seq) BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE INDEX ix_conversations_used ON conversations (workspace_id, used);
CREATE INDEX ix_conversation_items_digest ON conversation_items (workspace_id, digest, said);
CREATE INDEX ix_state_map_leaf ON state_map (workspace_id, leaf, path);
CREATE INDEX ix_state_map_symbol ON state_map (workspace_id, symbol, path);
CREATE INDEX ix_parser_refusals_refused_at ON parser_refusals (refused_at);
COMMIT;
